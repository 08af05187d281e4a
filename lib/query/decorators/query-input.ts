import type { ExecutionContext, Type } from '@nestjs/common';
import { BootFaults, rawRequestOf, toHttpException, type JsonSchema } from '../../common/index.js';
import type { DeclaredInput, SchemaContext } from '../../operations/index.js';
import type { AggregatePlan, ListPlan } from '../ast.js';
import { aggregateQuerySchema, describeQueryPolicy, listQuerySchema } from '../describe/index.js';
import type { Capabilities } from '../executor.js';
import { parseAggregateQuery, parseListQuery } from '../parse/index.js';
import {
  narrowQueryPolicy,
  narrowToCapabilities,
  resolveMethodPolicy,
  type PolicyResolution,
  type QueryPolicyAxes,
  type ResolvedQueryPolicy,
} from '../policy/index.js';
import { QueryError } from '../query-error.js';
import { rememberReturnable } from '../returnable/index.js';
import { carriedQueryPolicy } from './carried-policy.js';
import { rawQueryOf } from './raw-query.js';

export type QueryForm = 'list' | 'aggregate';

/** What one method's query is told to be, and what it is held to. */
export interface QueryDescription {
  readonly policy: ResolvedQueryPolicy;
  /** Follows the operation's own text; empty where the policy allows nothing. */
  readonly sentence: string;
  /** What the narrowing asked for beyond the method's policy, as `axis: what`; none of it was granted. */
  readonly widened: readonly string[];
}

/** The query parameter of one controller method, declared by `@ListQueryBody` or `@AggregateQueryBody`. */
export class QueryInput implements DeclaredInput {
  readonly source = 'body';
  readonly #policies = new WeakMap<object, ResolvedQueryPolicy>();

  /** @param prototype, method where the decorator stands */
  constructor(
    readonly readModel: Type,
    readonly form: QueryForm,
    private readonly prototype: object,
    private readonly method: string | symbol,
    private readonly capabilities?: Capabilities,
  ) {}

  /** The schema under the policy of the method itself. Faults of the policy are told by `describeFor`, not here. */
  schema(context: SchemaContext): JsonSchema {
    const untold = { faults: new BootFaults(), where: '' };
    const { policy } = this.describeFor(this.prototype, this.method, undefined, untold);
    return this.schemaFor(policy, context);
  }

  /** The schema of the body under a policy that `describeFor` made. */
  schemaFor(policy: ResolvedQueryPolicy, context: SchemaContext): JsonSchema {
    return this.form === 'list' ? listQuerySchema(policy, context) : aggregateQuerySchema(policy, context);
  }

  /**
   * The policy of a method, narrowed further where a palette narrows it, and its sentence.
   * @param prototype the controller's prototype, a subclass's perhaps
   * @param resolution where faults go and what to call the place; without it they are thrown
   * @throws PaletteBootError without `resolution`, with every fault of the policy
   */
  describeFor(
    prototype: object,
    method: string | symbol,
    narrowing?: QueryPolicyAxes<string>,
    resolution?: PolicyResolution,
  ): QueryDescription {
    const faults = resolution?.faults ?? new BootFaults();
    const place = `${prototype.constructor.name}.${String(method)}`;
    const own = this.#resolve(Reflect.get(prototype, method) as object, { faults, where: place });
    const { policy, widened } =
      narrowing === undefined
        ? { policy: own, widened: [] }
        : narrowQueryPolicy(own, narrowing, { faults, where: resolution?.where ?? place });
    if (resolution === undefined) faults.throwIfAny();
    return { policy, sentence: describeQueryPolicy(policy), widened };
  }

  /** The policy that a request is held to: the palette's that it was made through, or the method's. */
  policyOf(context: ExecutionContext): ResolvedQueryPolicy {
    const rawRequest = rawRequestOf(context.switchToHttp().getRequest<unknown>());
    const carried = rawRequest && carriedQueryPolicy(rawRequest);
    if (carried === undefined) return this.#policyOfHandler(context);
    if (carried.readModel === this.readModel) return carried;
    throw new TypeError(
      `The request carries a query policy of ${carried.readModel.name}, not of ${this.readModel.name}.`,
    );
  }

  /**
   * The plan of a request's body.
   * @throws HttpException 400 with every issue of the query in `details`
   */
  bind(context: ExecutionContext): ListPlan | AggregatePlan {
    const request: unknown = context.switchToHttp().getRequest();
    const policy = this.policyOf(context);
    try {
      return this.#parse(rawQueryOf(request), policy, rawRequestOf(request));
    } catch (error) {
      throw QueryError.isInstance(error) ? toHttpException(error) : error;
    }
  }

  #parse(raw: unknown, policy: ResolvedQueryPolicy, rawRequest: object | undefined): ListPlan | AggregatePlan {
    if (this.form === 'aggregate') return parseAggregateQuery(raw, policy);
    const plan = parseListQuery(raw, policy);
    if (rawRequest && plan.returnable) rememberReturnable(rawRequest, plan.returnable);
    return plan;
  }

  #policyOfHandler(context: ExecutionContext): ResolvedQueryPolicy {
    const handler = context.getHandler();
    const known = this.#policies.get(handler);
    if (known !== undefined) return known;
    const faults = new BootFaults();
    const policy = this.#resolve(handler, { faults, where: `${context.getClass().name}.${handler.name}` });
    faults.throwIfAny();
    this.#policies.set(handler, policy);
    return policy;
  }

  #resolve(handler: object, resolution: PolicyResolution): ResolvedQueryPolicy {
    const policy = resolveMethodPolicy(this.readModel, handler, resolution);
    return this.capabilities === undefined ? policy : narrowToCapabilities(policy, this.capabilities);
  }
}

import type { ExecutionContext, Type } from '@nestjs/common';
import { BootFaults, rawRequestOf, toHttpException, type JsonSchema } from '../../common/index.js';
import { isGetRoute } from '../../internal/nest.js';
import type { DeclaredInput, SchemaContext } from '../../operations/index.js';
import type { AggregatePlan, ListPlan, Paging } from '../ast.js';
import { checkCursorPaging, isInjected, secretFault, secretText, type CursorSecret } from '../cursor/index.js';
import { aggregateQuerySchema, describeQueryPolicy, listQuerySchema } from '../describe/index.js';
import type { Capabilities } from '../executor.js';
import { AGGREGATE_QUERY_KEYS, LIST_QUERY_KEYS, parseAggregateQuery, parseListQuery } from '../parse/index.js';
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
import { injectedCursorSecret } from './cursor-secret.interceptor.js';
import { QUERY_PARAMETER, rawQueryOf } from './raw-query.js';

export type QueryForm = 'list' | 'aggregate';

/** What one method's query is told to be, and what it is held to. */
export interface QueryDescription {
  readonly policy: ResolvedQueryPolicy;
  /** Follows the operation's own text; empty where the policy allows nothing. */
  readonly sentence: string;
  /** What the narrowing asked for beyond the method's policy, as `axis: what`; none of it was granted. */
  readonly widened: readonly string[];
}

export interface QueryInputOptions {
  readonly readModel: Type;
  readonly form: QueryForm;
  /** Where the decorator stands. */
  readonly prototype: object;
  readonly method: string | symbol;
  readonly capabilities?: Capabilities;
  readonly paging?: Paging['kind'];
  readonly cursorSecret?: CursorSecret;
}

/** The query parameter of one controller method, declared by `@ListQueryBody` or `@AggregateQueryBody`. */
export class QueryInput implements DeclaredInput {
  readonly readModel: Type;
  readonly form: QueryForm;
  readonly paging: Paging['kind'];
  readonly #policies = new WeakMap<object, ResolvedQueryPolicy>();

  constructor(private readonly options: QueryInputOptions) {
    this.readModel = options.readModel;
    this.form = options.form;
    this.paging = options.paging ?? 'offset';
  }

  /** The URL on a `GET` route, else the body. Known only after the parameter's decorator: the route's comes later. */
  get source(): 'body' | 'query' {
    const { prototype, method } = this.options;
    return sourceOf(Reflect.get(prototype, method) as object);
  }

  get encoding(): DeclaredInput['encoding'] {
    return this.source === 'query' ? { as: 'json', name: QUERY_PARAMETER } : undefined;
  }

  /** The schema under the policy of the method itself. Faults of the policy are told by `describeFor`, not here. */
  schema(context: SchemaContext): JsonSchema {
    return this.schemaFor(this.ownDescription().policy, context);
  }

  /** The policy of the method where the decorator stands, and its sentence; its faults are told elsewhere. */
  ownDescription(): QueryDescription {
    const untold = { faults: new BootFaults(), where: '' };
    return this.describeFor(this.options.prototype, this.options.method, undefined, untold);
  }

  /** The schema of the query under a policy that `describeFor` made. */
  schemaFor(policy: ResolvedQueryPolicy, context: SchemaContext): JsonSchema {
    const isList = this.form === 'list';
    return isList ? listQuerySchema(policy, context, this.paging) : aggregateQuerySchema(policy, context);
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
    const where = `${prototype.constructor.name}.${String(method)}`;
    const own = this.#resolve(Reflect.get(prototype, method) as object, { faults, where });
    const place = { faults, where: resolution?.where ?? where };
    const { policy, widened } =
      narrowing === undefined ? { policy: own, widened: [] } : narrowQueryPolicy(own, narrowing, place);
    if (narrowing !== undefined) this.#checkPaging(policy, place);
    if (resolution === undefined) faults.throwIfAny();
    return { policy, sentence: describeQueryPolicy(policy, this.paging), widened };
  }

  /**
   * The policy that a request is held to: the palette's that it was made through, or the method's.
   * @throws PaletteBootError `query_needs_http` where the call is no HTTP request
   */
  policyOf(context: ExecutionContext): ResolvedQueryPolicy {
    this.#checkIsHttp(context);
    const rawRequest = rawRequestOf(context.switchToHttp().getRequest<unknown>());
    const carried = rawRequest && carriedQueryPolicy(rawRequest);
    if (carried === undefined) return this.#policyOfHandler(context);
    if (carried.readModel === this.readModel) return carried;
    throw new TypeError(
      `The request carries a query policy of ${carried.readModel.name}, not of ${this.readModel.name}.`,
    );
  }

  /**
   * The plan of a request's query.
   * @throws HttpException 400 with every issue of the query in `details`
   */
  bind(context: ExecutionContext): ListPlan | AggregatePlan {
    const policy = this.policyOf(context);
    const request: unknown = context.switchToHttp().getRequest();
    const keys = this.form === 'list' ? LIST_QUERY_KEYS[this.paging] : AGGREGATE_QUERY_KEYS;
    const code = this.form === 'list' ? 'filter_shape_invalid' : 'aggregate_shape_invalid';
    try {
      const raw = rawQueryOf(request, { source: sourceOf(context.getHandler()), keys, code });
      return this.#parse(raw, policy, rawRequestOf(request));
    } catch (error) {
      throw QueryError.isInstance(error) ? toHttpException(error) : error;
    }
  }

  #parse(raw: unknown, policy: ResolvedQueryPolicy, rawRequest: object | undefined): ListPlan | AggregatePlan {
    if (this.form === 'aggregate') return parseAggregateQuery(raw, policy);
    const cursorSecret = this.#cursorSecret(rawRequest);
    const { paging } = this;
    const plan = parseListQuery(raw, policy, { paging, ...(cursorSecret === undefined ? {} : { cursorSecret }) });
    if (rawRequest && plan.returnable) rememberReturnable(rawRequest, plan.returnable);
    return plan;
  }

  /** A secret that was asked for and is not there, or not fit, stops the request: never a cursor without one. */
  #cursorSecret(rawRequest: object | undefined): string | undefined {
    const { cursorSecret } = this.options;
    if (this.paging === 'offset' || cursorSecret === undefined) return undefined;
    const secret = isInjected(cursorSecret) ? injectedCursorSecret(rawRequest) : secretText(cursorSecret);
    const fault = secretFault(secret);
    if (fault !== undefined) throw new TypeError(`cursorSecret ${fault}.`);
    return secret;
  }

  /** Boot sees message handlers of controllers; gateways and resolvers are seen here. None of their payloads is a request. */
  #checkIsHttp(context: ExecutionContext): void {
    const type = context.getType<string>();
    if (type === 'http') return;
    const faults = new BootFaults();
    const where = `${context.getClass().name}.${context.getHandler().name}`;
    faults.add('query_needs_http', { where, readModel: this.readModel.name, what: `a call of type "${type}"` });
    faults.throwIfAny();
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
    const { capabilities } = this.options;
    const declared = resolveMethodPolicy(this.readModel, handler, resolution);
    const policy = capabilities === undefined ? declared : narrowToCapabilities(declared, capabilities);
    this.#checkPaging(policy, resolution);
    return policy;
  }

  #checkPaging(policy: ResolvedQueryPolicy, resolution: PolicyResolution): void {
    if (this.paging === 'cursor') checkCursorPaging(policy, this.options.cursorSecret, resolution);
  }
}

function sourceOf(handler: object): 'body' | 'query' {
  return isGetRoute(handler) ? 'query' : 'body';
}

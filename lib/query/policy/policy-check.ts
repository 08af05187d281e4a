import { errorMessage, type BootFaults, type ErrorCode, type MessageParameters } from '../../common/index.js';
import { FIELD_KINDS, type QueryField } from '../kinds/index.js';
import type { PolicyAxis, ResolvedQueryPolicy } from './resolved-query-policy.js';

/**
 * Where the faults of one set of options go. A policy is resolved once a method, so that one fault of a read model
 * would otherwise be told as often as the read model is used.
 */
export class PolicyCheck {
  /** What the options allow beyond the policy that they narrow, as `axis: what`. */
  readonly widened: string[] = [];

  constructor(
    readonly where: string,
    readonly readModel: string,
    private readonly faults: BootFaults,
  ) {}

  unknownField(option: string, field: string, known: readonly string[]): void {
    this.#add('query_policy_field_unknown', { option, field, known: listed(known) });
  }

  unknownOperator(option: string, field: string, operator: unknown, known: readonly string[]): void {
    this.#add('query_policy_operator_unknown', { option, field, operator: String(operator), known: listed(known) });
  }

  unsupportedOperator(option: string, field: QueryField, operator: string, known: readonly string[]): void {
    this.#add('query_policy_operator_unsupported', {
      option,
      field: field.name,
      operator,
      kind: field.kind,
      known: listed(known),
    });
  }

  unknownKind(field: string, what: string): void {
    this.#add('query_policy_kind_unknown', { field, what, known: listed(FIELD_KINDS) });
  }

  invalidOption(option: string, what: string): void {
    this.#add('query_policy_option_invalid', { option, what });
  }

  widens(axis: string, what: string): void {
    this.widened.push(`${axis}: ${what}`);
  }

  /** Finds a read field of known kind; tells the fault where there is none. */
  field(
    policy: ResolvedQueryPolicy,
    option: PolicyAxis | 'tieBreaker' | 'defaultSort',
    name: string,
  ): QueryField | undefined {
    if (Object.hasOwn(policy.fields, name)) return policy.fields[name];
    if (policy.readFields.includes(name)) this.unknownKind(name, 'cannot be told from its type');
    else this.unknownField(option, name, policy.readFields);
    return undefined;
  }

  #add(code: ErrorCode, parameters: MessageParameters): void {
    const all = { where: this.where, readModel: this.readModel, ...parameters };
    const message = errorMessage(code, all);
    const isTold = this.faults.list.some((fault) => fault.code === code && fault.message === message);
    if (!isTold) this.faults.add(code, all);
  }
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(', ');
}

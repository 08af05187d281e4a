import { MAX_TIMER_MS, type BootFaults } from '../../common/index.js';
import type {
  ApprovalPolicy,
  ApprovalsModuleOptions,
  ResolvedApprovalPolicy,
  ResolvedApprovalsOptions,
} from './approvals.options.js';

const DAY_MS = 86_400_000;
const YEAR_MS = 366 * DAY_MS;

/** Fills in the defaults. What is missing or out of range is a boot fault. */
export function resolveApprovalsOptions(options: ApprovalsModuleOptions, faults: BootFaults): ResolvedApprovalsOptions {
  // Configuration may come from JavaScript, where nothing made these functions.
  if (typeof options.authorizer !== 'function') faults.add('approval_authorizer_missing', {});
  if (typeof options.principal !== 'function') invalid(faults, 'principal', 'is missing: say who acts');
  const numbers = { sweepIntervalMs: options.sweepIntervalMs ?? 5_000, leaseMs: options.leaseMs ?? 30_000 };
  inRange(faults, 'sweepIntervalMs', numbers.sweepIntervalMs, 0, MAX_TIMER_MS);
  inRange(faults, 'leaseMs', numbers.leaseMs, 1_000, MAX_TIMER_MS);
  const general = resolvePolicy(options, undefined, '', faults);
  const special = new Map(
    Object.entries(options.operations ?? {}).map(
      ([name, policy]) => [name, resolvePolicy(policy, general, `operations['${name}'].`, faults)] as const,
    ),
  );
  return Object.freeze({
    ...numbers,
    authorizer: options.authorizer,
    principal: options.principal,
    rolesOf: options.rolesOf ?? (({ scopes = [] }) => scopes),
    proposeUnasked: options.proposeUnasked ?? false,
    notifiers: [...(options.notifiers ?? [])],
    policyOf: (operation: string) => special.get(operation) ?? general,
  });
}

function resolvePolicy(
  policy: ApprovalPolicy,
  general: ResolvedApprovalPolicy | undefined,
  where: string,
  faults: BootFaults,
): ResolvedApprovalPolicy {
  const resolved = {
    roles: Object.freeze([...(policy.roles ?? general?.roles ?? [])]),
    quorum: policy.quorum ?? general?.quorum ?? 1,
    mayRequesterDecide: policy.mayRequesterDecide ?? general?.mayRequesterDecide ?? false,
    expiresInMs: policy.expiresInMs ?? general?.expiresInMs ?? DAY_MS,
  };
  inRange(faults, `${where}quorum`, resolved.quorum, 1, 100);
  inRange(faults, `${where}expiresInMs`, resolved.expiresInMs, 1, YEAR_MS);
  return Object.freeze(resolved);
}

function inRange(faults: BootFaults, key: string, value: number, min: number, max: number): void {
  if (Number.isInteger(value) && value >= min && value <= max) return;
  invalid(faults, key, `must be a whole number from ${min} to ${max}`);
}

function invalid(faults: BootFaults, key: string, what: string): void {
  faults.add('approvals_options_invalid', { key, what });
}

/** Leave to run one gated call, once: whoever keeps approvals has found it approved and has claimed it. */
export interface CallGrant {
  readonly operation: string;
  /** `canonicalDigest` of the arguments that were approved. */
  readonly argumentsHash: string;
}

// By identity, so that no object that merely looks like a grant is one.
const UNUSED = new WeakSet<CallGrant>();

/** For the keeper of approvals only. */
export function grantCall(grant: CallGrant): CallGrant {
  const granted = Object.freeze({ ...grant });
  UNUSED.add(granted);
  return granted;
}

/** Whether the grant is for this very call; it is used up by the answer. */
export function useGrant(grant: CallGrant | undefined, call: CallGrant): boolean {
  if (grant === undefined || !UNUSED.delete(grant)) return false;
  return grant.operation === call.operation && grant.argumentsHash === call.argumentsHash;
}

import type { ApprovalAuthorizer } from 'nestjs-palette';

/** Above this, in euros, a director decides. */
const FINANCE_UP_TO = 500;

/**
 * Who sees and decides: finance, and a director where it is much. That nobody decides about their own refund needs no line
 * here: the module sees to it.
 */
export const mayDecide: ApprovalAuthorizer = ({ action, by, approval }) => {
  const roles = by.scopes ?? [];
  if (action === 'operate' || approval === undefined) return roles.includes('director');
  if (action === 'see')
    return roles.includes('finance') || roles.includes('director') || by.subject === approval.requester.subject;
  const { amount = Infinity } = JSON.parse(approval.arguments) as { amount?: number };
  return roles.includes(amount > FINANCE_UP_TO ? 'director' : 'finance') || roles.includes('director');
};

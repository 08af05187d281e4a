export { inCallOrder, isCallWanted } from './call-order.js';
export { abandoned, claimed, givenUp, settled } from './calls.js';
export { expired, judge, NO_VERDICT, standingVotes, uncounted, type Judgement } from './decide.js';
export { isWanted, pageLimit, pagePosition } from './page.js';
export { proposedRows, refuseWrite, type ProposedRows } from './propose.js';
export { followed, type ApprovalChange } from './settle-approval.js';

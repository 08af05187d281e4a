import { inputRequired, type InputRequiredResult } from '@modelcontextprotocol/server';
import type { RequesterDecisions } from '../../../approvals/index.js';
import { isPlainObject, ownValue, PaletteError, type CallerContext } from '../../../common/index.js';
import { refusal, type DispatchContext, type OperationDispatcher } from '../../../dispatch/index.js';
import type { ToolCall, ToolResult } from '../../../palette/index.js';
import type { ClientAnswer } from '../exchange.js';
import { refusalCode } from '../tool-answer.js';
import { approvalQuestion } from './approval-question.js';
import { clientAction } from './client-action.js';
import { wayToAsk, type AskedMessage } from './way-to-ask.js';

export interface AskingServing {
  readonly dispatcher: OperationDispatcher;
  /** Absent where nobody keeps approvals. */
  readonly requesters: RequesterDecisions | undefined;
}

/** An approval, what was shown of it, and what was said. */
interface Answered extends ClientAnswer {
  readonly approvalId: string;
  readonly argumentsHash: string;
}

/**
 * Runs a call. Where it waits for an approval that its own requester may give, that person is asked at their client, and the
 * call goes on under the approval: it runs, once, or is answered with how the approval stands.
 *
 * @returns the question, where the client has to call again with the answer
 */
export async function runAsking(
  { dispatcher, requesters }: AskingServing,
  call: ToolCall,
  context: DispatchContext,
  message: AskedMessage,
): Promise<ToolResult | InputRequiredResult> {
  const way = requesters === undefined || message.timeoutMs === 0 ? undefined : wayToAsk(message);
  if (requesters === undefined || way === undefined) return dispatcher.dispatch(call, context);
  const goOn = async (answer: Answered): Promise<ToolResult> => {
    const refused = await decided(requesters, call, answer);
    return refused ?? dispatcher.dispatch(call, { ...context, approvalId: answer.approvalId });
  };
  const answered = way.kind === 'by_result' ? answerIn(message) : undefined;
  if (answered !== undefined) return goOn(answered);
  const result = await dispatcher.dispatch(call, context);
  const approvalId = approvalIn(result);
  const approval = approvalId === undefined ? undefined : await requesters.waitingFor(message.caller, approvalId);
  const question = approval && approvalQuestion(approval);
  if (approval === undefined || question === undefined) return result;
  if (way.kind === 'by_result') {
    const inputRequests = { [approval.approvalId]: inputRequired.elicit(question) };
    return inputRequired({ inputRequests, requestState: `${approval.approvalId} ${approval.argumentsHash}` });
  }
  const isFor = (caller: CallerContext) => requesters.isTheirs(caller, approval);
  const answer = await way.ask(question, isFor);
  return goOn({ approvalId: approval.approvalId, argumentsHash: approval.argumentsHash, ...answer });
}

/** Decides as it was said. @returns what is answered where the call must not go on */
async function decided(
  requesters: RequesterDecisions,
  call: ToolCall,
  { approvalId, argumentsHash, action, caller }: Answered,
): Promise<ToolResult | undefined> {
  if (action === 'none') return undefined;
  try {
    await requesters.decide(caller, approvalId, { verdict: action === 'accept' ? 'approve' : 'deny', argumentsHash });
    return undefined;
  } catch (error) {
    if (!PaletteError.isInstance(error)) throw error;
    // Whoever said no does not see the call run by what somebody else had said before.
    return action === 'decline' ? refusal(call.id, error.code) : undefined;
  }
}

/**
 * What came back with a call that was answered by a question. All of it is the client's word: it names an approval, which has
 * to be the caller's own, and the arguments that were shown, which have to be the approval's. There is nothing to sign in it.
 */
function answerIn({ context, caller }: AskedMessage): Answered | undefined {
  const { inputResponses = {}, requestState } = context.mcpReq;
  const [approvalId = '', argumentsHash] = String(requestState()).split(' ');
  const result = ownValue(inputResponses, approvalId);
  if (result === undefined || argumentsHash === undefined) return undefined;
  return { approvalId, argumentsHash, action: clientAction(result), caller };
}

function approvalIn(result: ToolResult): string | undefined {
  if (refusalCode(result) !== 'approval_required' || !isPlainObject(result.content)) return undefined;
  const { details } = result.content;
  const approvalId = isPlainObject(details) ? details['approvalId'] : undefined;
  return typeof approvalId === 'string' ? approvalId : undefined;
}

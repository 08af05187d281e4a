import { closeApplications } from '../../../support/application.js';
import { ANN, BEN, bootCrashApp, CALLER, type CrashApp, type CrashPlace } from './crash-app.js';
import { DeadlyPoints, deadlyStore } from './crash-points.js';

/** What a process is told. */
export interface CrashOrder {
  /** Also what the person says. */
  readonly conversation: string;
  /** After which of its points it dies, or is stopped; 0: it does neither. */
  readonly deadlyAt: number;
  readonly signal: 'SIGKILL' | 'SIGSTOP';
  readonly effects: string;
  readonly points: string;
}

/** The whole of a file that `compileAll` compiles: one conversation from the question to the answer, or to the process's death. */
export async function crashProcess(openPlace: () => Promise<CrashPlace>): Promise<void> {
  const order = JSON.parse(process.env['CRASH_ORDER'] ?? '') as CrashOrder;
  const { conversation, effects } = order;
  const place = await openPlace();
  const points = new DeadlyPoints(order.deadlyAt, order.signal, order.points);
  const store = deadlyStore(place.store, points);
  // One call after the other, so that each process passes the same points.
  const agents = { toolConcurrency: 1 };
  const app = await bootCrashApp('express', { place, store, points, effects, agents });
  await say(app, conversation, conversation);
  await approveAll(app, conversation);
  await say(app, conversation, undefined);
  await closeApplications();
  await place.close();
}

/** Says something, or goes on, and waits until the run is over or waits for a person. Busy: says it again a little later. */
export async function say(app: CrashApp, conversation: string, message: string | undefined): Promise<void> {
  const request = { conversation, principal: ANN, caller: CALLER, ...(message !== undefined && { message }) };
  try {
    for await (const event of app.runner.run(request)) if (event.type === 'error') throw event.cause;
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    // Somebody else has gone on with it, and is done.
    if (code === 'agent_message_missing') return;
    if (code !== 'conversation_busy') throw error;
    await new Promise((resolve) => setTimeout(resolve, 100));
    await say(app, conversation, message);
  }
}

/** Decides, as a person does, whatever waits in a conversation. */
export async function approveAll({ approvals }: CrashApp, conversation: string): Promise<void> {
  const { approvals: waiting } = await approvals.list(BEN, { states: ['pending'], conversationId: conversation });
  for (const { approvalId, argumentsHash } of waiting) {
    await approvals.decide(BEN, approvalId, { verdict: 'approve', argumentsHash });
  }
}

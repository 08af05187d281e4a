import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { getPaletteToken, InMemoryAgentStore, OperationDispatcher, runAgent, type Palette } from 'nestjs-palette';
import { ScriptedModel } from 'nestjs-palette/testing';
import { canonicalDigest } from '../../../lib/common/index.js';
import { as, personOf } from '../../approvals/support/people.js';
import { done } from '../../approvals/support/refunds.js';
import { closeApplications, PLATFORMS } from '../../support/application.js';
import { catchError } from '../../support/catch-error.js';
import { ANN, CALLER, collect, doneOf } from '../run/support/running.js';
import { bootDesk, type Desk } from './support/desk.js';

const REFUND = { order: 'o-1', amount: 10 };
/** Where the ledger keeps this very call of Ann's, when it comes without an approval. */
const HERS = `approval:${canonicalDigest(['ann', 'north', 'desk', 'refunds.pay', canonicalDigest(REFUND)])}`;
const unknown = { code: 'conversation_unknown' };

describe.each(PLATFORMS)('a conversation of an id that the ledger has use for, on %s', (platform) => {
  let model: ScriptedModel;
  let desk: Desk;

  beforeEach(async () => {
    done.length = 0;
    model = new ScriptedModel(['Hello.']);
    desk = await bootDesk(platform, { model, approvals: { proposeUnasked: true } });
  });
  afterEach(closeApplications);

  const call = () =>
    desk.app
      .get(OperationDispatcher)
      .dispatch(
        { id: 'c-1', name: 'refunds__pay', arguments: REFUND },
        { palette: desk.app.get<Palette>(getPaletteToken('desk'), { strict: false }), caller: as('ann') },
      );

  it('is nobody’s to begin, so that nobody keeps a person’s calls from being proposed', async () => {
    const dan = { conversation: HERS, principal: personOf('Bearer dan') ?? ANN, caller: as('dan') };
    expect(await catchError(() => collect(desk.say('hello', dan)))).toMatchObject(unknown);
    expect(await catchError(() => collect(desk.say('hello', { conversation: HERS })))).toMatchObject(unknown);
    expect(await desk.store.find(HERS)).toBeUndefined();
    expect(await call()).toMatchObject({
      content: { code: 'approval_required', details: { approvalId: expect.any(String) } },
    });
    expect(await desk.store.find(HERS)).toMatchObject({ owner: { subject: 'ann' } });
    expect(await catchError(() => collect(desk.say('hello', { conversation: HERS })))).toMatchObject(unknown);
    expect([model.requests, done]).toEqual([[], []]);
  });

  it('is one like any other where it only looks like it', async () => {
    for (const conversation of ['approvals:1', 'an approval:1', 'APPROVAL:1']) {
      model.push('Hello.');
      expect(doneOf(await collect(desk.say('hello', { conversation }))).answer).toBe('Hello.');
    }
  });

  it('is refused without a module as well', async () => {
    const more = {
      conversation: HERS,
      principal: ANN,
      caller: CALLER,
      store: new InMemoryAgentStore(),
      message: 'hello',
    };
    expect(await catchError(() => collect(runAgent({ model, ...more })))).toMatchObject(unknown);
  });
});

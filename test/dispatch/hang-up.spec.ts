import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Controller, Get, UseGuards, type CanActivate } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Caller, type CallerContext } from 'nestjs-palette';
import { bootApplication, closeApplications, listen, PLATFORMS } from '../support/application.js';
import { eventually } from '../support/eventually.js';
import { watchProcess } from '../support/process-watch.js';

const signals: AbortSignal[] = [];
let guarded = 0;
let letPass: () => void = () => undefined;

class SlowGuard implements CanActivate {
  async canActivate(): Promise<boolean> {
    guarded++;
    await new Promise<void>((resolve) => (letPass = resolve));
    return true;
  }
}

@Controller()
class WaitingController {
  @Get('guarded') @UseGuards(SlowGuard) guarded(@Caller() caller: CallerContext): string {
    return this.#seen(caller);
  }
  @Get('answered') answered(@Caller() caller: CallerContext): string {
    return this.#seen(caller);
  }
  @Get('waits') async waits(@Caller() caller: CallerContext): Promise<string> {
    const seen = this.#seen(caller);
    await once(caller.signal as AbortSignal, 'abort');
    return seen;
  }

  #seen({ signal }: CallerContext): string {
    signals.push(signal as AbortSignal);
    return 'seen';
  }
}

function aborted(): boolean[] {
  return signals.map((signal) => signal.aborted);
}

describe.each(PLATFORMS)('a client that goes away on %s', (platform) => {
  let client: Socket;

  beforeEach(async () => {
    signals.length = 0;
    guarded = 0;
    const app = await bootApplication(platform, { controllers: [WaitingController] });
    client = connect(Number(new URL(await listen(app)).port), '127.0.0.1');
    client.on('error', () => undefined);
    await once(client, 'connect');
  });
  afterEach(async () => {
    client.destroy();
    await closeApplications();
  });

  function ask(path: string, times = 1): void {
    client.write(`GET /${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(times));
  }

  it('before its handler was reached is known to be gone there', async () => {
    ask('guarded');
    await eventually(() => expect(guarded).toBe(1));
    client.destroy();
    await new Promise((resolve) => setTimeout(resolve, 50));
    letPass();
    await eventually(() => expect(aborted()).toEqual([true]));
  });

  it('is not taken to be gone while it waits, nor when it was answered', async () => {
    ask('guarded');
    await eventually(() => expect(guarded).toBe(1));
    letPass();
    await once(client, 'data');
    ask('answered');
    await once(client, 'data');
    client.destroy();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(aborted()).toEqual([false, false]);
  });

  it('ends all that it had asked for in one go, and nobody takes the listeners for a leak', async () => {
    const watch = watchProcess();
    ask('waits', 30);
    await eventually(() => expect(signals).toHaveLength(30));
    expect(aborted()).not.toContain(true);
    client.destroy();
    await eventually(() => expect(aborted()).not.toContain(false));
    await new Promise((resolve) => setTimeout(resolve, 50));
    watch.stop();
    expect([watch.warnings, watch.rejections, watch.exceptions]).toEqual([[], [], []]);
  });
});

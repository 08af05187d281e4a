import { Controller, Injectable, UseGuards, type CanActivate } from '@nestjs/common';
import { MessagePattern } from '@nestjs/microservices';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { concat, defer, finalize, interval, of, take, tap, throwError, type Observable } from 'rxjs';
import { Operation } from 'nestjs-palette';
import { closeApplications, PLATFORMS } from '../support/application.js';
import { catchError } from '../support/catch-error.js';
import { eventually } from '../support/eventually.js';
import { bootDispatching, type Dispatching } from '../support/dispatching.js';
import { connectMessageService } from '../support/message-service.js';

let ticks = 0;
let steps: string[] = [];

function watched<T>(source: Observable<T>): Observable<T> {
  return source.pipe(
    tap(() => ticks++),
    finalize(() => steps.push('finalized')),
  );
}

@Injectable()
class SlowGuard implements CanActivate {
  async canActivate(): Promise<boolean> {
    await new Promise((resolve) => setTimeout(resolve, 200));
    steps.push('let in');
    return true;
  }
}

@Controller()
class StreamsController {
  @Operation({ name: 'streams.endless' }) @MessagePattern('endless') endless(): Observable<number> {
    return watched(interval(5));
  }
  @Operation({ name: 'streams.some' }) @MessagePattern('some') some(): Observable<number> {
    return watched(interval(5).pipe(take(3)));
  }
  @Operation({ name: 'streams.none' }) @MessagePattern('none') none(): Observable<never> {
    return watched(concat());
  }
  @Operation({ name: 'streams.broken' }) @MessagePattern('broken') broken(): Observable<number> {
    return watched(
      concat(
        of(1),
        throwError(() => new Error('secret')),
      ),
    );
  }
  @Operation({ name: 'streams.late' }) @UseGuards(SlowGuard) @MessagePattern('late') late(): Observable<number> {
    return defer(() => {
      steps.push('begun');
      return of(1);
    });
  }
}

describe.each(PLATFORMS)('streams of message handlers beside %s', (platform) => {
  let dispatching: Dispatching;

  beforeAll(async () => {
    dispatching = await bootDispatching(
      platform,
      { controllers: [StreamsController] },
      {
        configure: connectMessageService,
      },
    );
  });
  afterAll(closeApplications);
  beforeEach(() => {
    ticks = 0;
    steps = [];
  });

  async function expectStopped(): Promise<void> {
    expect(steps).toEqual(['finalized']);
    const seen = ticks;
    await new Promise((resolve) => setTimeout(resolve, 40));
    expect(ticks).toBe(seen);
  }

  it('are let go of at the deadline', async () => {
    const call = () => dispatching.call('streams__endless', {}, { deadline: Date.now() + 300 });
    expect(await catchError(call)).toMatchObject({ code: 'deadline_exceeded' });
    expect(ticks).toBeGreaterThan(0);
    await expectStopped();
  });

  it('are let go of when the caller goes away', async () => {
    const gone = new AbortController();
    const call = dispatching.call('streams__endless', {}, { signal: gone.signal });
    await eventually(() => expect(ticks).toBeGreaterThan(0));
    gone.abort();
    expect(await catchError(() => call)).toMatchObject({ code: 'dispatch_cancelled' });
    await expectStopped();
  });

  it('are not begun when the time is over', async () => {
    const call = () => dispatching.call('streams__late', {}, { deadline: Date.now() + 100 });
    expect(await catchError(call)).toMatchObject({ code: 'deadline_exceeded' });
    await eventually(() => expect(steps).toEqual(['let in']));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(steps).toEqual(['let in']);
    expect(await dispatching.call('streams__late')).toMatchObject({ isError: false, content: 1 });
    expect(steps).toEqual(['let in', 'let in', 'begun']);
  });

  it('are told by their last value, and are let go of then', async () => {
    expect(await dispatching.call('streams__some')).toMatchObject({ isError: false, content: 2 });
    expect(await dispatching.call('streams__none')).toMatchObject({ isError: false, content: {} });
    expect(steps).toEqual(['finalized', 'finalized']);
  });

  it('fail where they fail', async () => {
    expect(await catchError(() => dispatching.call('streams__broken'))).toMatchObject({ code: 'operation_failed' });
    expect(steps).toEqual(['finalized']);
  });
});

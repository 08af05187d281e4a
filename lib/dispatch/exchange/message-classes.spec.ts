import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { messageClasses, type MessagePrototypes } from './message-classes.js';
import { StubSocket } from './stub-socket.js';

function messagesOf(prototypes?: MessagePrototypes): [IncomingMessage, ServerResponse] {
  const { Request, Response } = messageClasses(prototypes);
  const socket = new StubSocket({ remoteAddress: '127.0.0.1', encrypted: false, onBytes: () => undefined });
  const request = new Request(socket as unknown as Socket);
  return [request, new Response(request)];
}

describe('the classes of messages', () => {
  it('give what a framework would give them, from the start', () => {
    const request = Object.create(IncomingMessage.prototype, { app: { value: 'the application' } }) as IncomingMessage;
    const response = Object.create(ServerResponse.prototype, { app: { value: 'the application' } }) as ServerResponse;
    const messages = messagesOf({ request, response });
    expect(messages.map((message) => Object.getPrototypeOf(message) as unknown)).toEqual([request, response]);
    expect(messages.map((message) => Reflect.get(message, 'app') as unknown)).toEqual(Array(2).fill('the application'));
    expect([messages[0] instanceof IncomingMessage, messages[1] instanceof ServerResponse]).toEqual([true, true]);
  });

  it.each([
    ['there is no framework', undefined],
    ['it has none', {}],
    ['what it calls so is none', { request: () => undefined, response: { statusCode: 200 } }],
  ])("are Node's own where %s", (_why, prototypes) => {
    const prototypesOf = messagesOf(prototypes).map((message) => Object.getPrototypeOf(message) as unknown);
    expect(prototypesOf).toEqual([IncomingMessage.prototype, ServerResponse.prototype]);
  });

  it('make messages as Node does', () => {
    const [request, response] = messagesOf({
      request: Object.create(IncomingMessage.prototype) as object,
      response: Object.create(ServerResponse.prototype) as object,
    });
    const [nodes, nodesResponse] = messagesOf();
    expect(Object.keys(request)).toEqual(Object.keys(nodes));
    expect(Object.keys(response)).toEqual(Object.keys(nodesResponse));
  });
});

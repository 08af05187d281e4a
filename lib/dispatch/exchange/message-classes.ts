import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** What the messages of a server are made with. */
export interface MessageClasses {
  readonly Request: new (socket: Socket) => IncomingMessage;
  readonly Response: new (request: IncomingMessage) => ServerResponse;
}

/** Prototypes that a framework gives to every message it is handed: `request` and `response` of an Express application. */
export interface MessagePrototypes {
  readonly request?: unknown;
  readonly response?: unknown;
}

/**
 * Classes whose messages have a framework's prototypes from the start. An object whose prototype is changed later is slow ever
 * after: each property that is added to it gives it a shape of its own, and no code that meets it stays optimised. Setting the
 * prototype that it has already changes nothing.
 */
export function messageClasses({ request, response }: MessagePrototypes = {}): MessageClasses {
  return {
    Request: request instanceof IncomingMessage ? withPrototype(IncomingMessage, request) : IncomingMessage,
    Response: response instanceof ServerResponse ? withPrototype(ServerResponse, response) : ServerResponse,
  };
}

type MessageClass<Given, Message> = new (given: Given) => Message;

/** A function is what can be given a prototype from elsewhere; Node's own two are functions, and can be called by one. */
function withPrototype<Given, Message extends object>(
  base: MessageClass<Given, Message>,
  prototype: Message,
): MessageClass<Given, Message> {
  function FrameworkMessage(this: Message, given: Given): void {
    Reflect.apply(base as unknown as (given: Given) => void, this, [given]);
  }
  FrameworkMessage.prototype = prototype;
  return FrameworkMessage as unknown as MessageClass<Given, Message>;
}

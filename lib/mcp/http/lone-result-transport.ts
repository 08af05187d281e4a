import {
  PerRequestHTTPServerTransport,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type JSONRPCResultResponse,
  type TransportSendOptions,
} from '@modelcontextprotocol/server';

/**
 * The protocol's own transport of one request, but for what nearly every request comes to: a result, and nothing before it.
 * That is handed over as it is, for a web `Response` around it costs more than all else that the protocol does for a call.
 */
export class LoneResultTransport extends PerRequestHTTPServerTransport {
  #isAlone = true;
  #handOver: ((result: JSONRPCResultResponse) => void) | undefined;

  /** The result, or the protocol's own answer where it is an error or a stream. @throws SdkError when it is closed before */
  answer(request: JSONRPCRequest): Promise<JSONRPCResultResponse | Response> {
    const lone = new Promise<JSONRPCResultResponse>((resolve) => (this.#handOver = resolve));
    return Promise.race([lone, this.handleMessage(request)]);
  }

  override async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (this.#isAlone && 'result' in message) return this.#handOver?.(message);
    this.#isAlone = false;
    return super.send(message, options);
  }
}

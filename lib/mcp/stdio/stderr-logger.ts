import { ConsoleLogger } from '@nestjs/common';

/** Nest's logger on the error stream: over stdio the other one carries the protocol, and a line of text there breaks it. */
export class StderrLogger extends ConsoleLogger {
  protected override printMessages(...parameters: Parameters<ConsoleLogger['printMessages']>): void {
    const [messages, context, level, , ...rest] = parameters;
    super.printMessages(messages, context, level, 'stderr', ...rest);
  }
}

import type { Clock } from '../common/index.js';

interface Appointment {
  readonly at: number;
  readonly callback: () => void;
}

/** A clock that stands still until a test moves it. */
export class FakeClock implements Clock {
  private time: number;
  private readonly appointments = new Set<Appointment>();

  /** @param start milliseconds since the epoch; by default the first of January 2026, UTC */
  constructor(start = Date.UTC(2026, 0, 1)) {
    this.time = start;
  }

  /** How many callbacks are still to come. */
  get pending(): number {
    return this.appointments.size;
  }

  readonly now = (): number => this.time;

  readonly after = (ms: number, callback: () => void): (() => void) => {
    const appointment = { at: this.time + Math.max(ms, 0), callback };
    this.appointments.add(appointment);
    return () => void this.appointments.delete(appointment);
  };

  /**
   * Moves time on, and calls back what is due on the way: in order, each at its own time. What a callback sets going gets the
   * chance to settle, and to make appointments of its own, before time goes on.
   */
  async advance(ms: number): Promise<void> {
    const end = this.time + ms;
    await settle();
    for (let due = this.nextUntil(end); due !== undefined; due = this.nextUntil(end)) {
      this.appointments.delete(due);
      this.time = due.at;
      due.callback();
      await settle();
    }
    this.time = end;
    await settle();
  }

  private nextUntil(end: number): Appointment | undefined {
    let next: Appointment | undefined;
    for (const appointment of this.appointments) {
      if (appointment.at <= end && (next === undefined || appointment.at < next.at)) next = appointment;
    }
    return next;
  }
}

function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

import { isPlainObject } from '../../common/index.js';
import { ApprovalError } from '../approval-error.js';

export interface ValueFault {
  readonly pointer: string;
  readonly problem: string;
}

/** Reads the values of a body or a query one by one; what is wrong with them is told together, and no value is echoed. */
export class ValueReader {
  readonly #faults: ValueFault[] = [];
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(given: unknown, known: readonly string[]) {
    this.#values = isPlainObject(given) ? given : {};
    if (!isPlainObject(given)) this.#fault('', 'must be one JSON object');
    for (const key of Object.keys(this.#values)) {
      if (!known.includes(key)) this.#fault(`/${key.slice(0, 64)}`, 'is not known here');
    }
  }

  text(key: string, maxLength: number): string | undefined {
    return this.#read(key, `must be a text of ${maxLength} characters at most`, (value) =>
      typeof value === 'string' && value.length <= maxLength ? value : undefined,
    );
  }

  oneOf<T extends string>(key: string, allowed: readonly T[]): T | undefined {
    const found = (value: unknown) => allowed.find((each) => each === value);
    return this.#read(key, `must be one of ${allowed.join(', ')}`, found);
  }

  someOf<T extends string>(key: string, allowed: readonly T[]): readonly T[] | undefined {
    return this.#read(key, `must list, with commas, some of ${allowed.join(', ')}`, (value) => {
      const parts = typeof value === 'string' ? value.split(',') : [];
      const found = parts.flatMap((part) => allowed.filter((each) => each === part));
      return parts.length > 0 && found.length === parts.length ? found : undefined;
    });
  }

  count(key: string, max: number): number | undefined {
    return this.#read(key, `must be a whole number from 1 to ${max}`, (value) => {
      const number = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : 0;
      return number >= 1 && number <= max ? number : undefined;
    });
  }

  object(key: string): Readonly<Record<string, unknown>> | undefined {
    return this.#read(key, 'must be a JSON object', (value) => (isPlainObject(value) ? value : undefined));
  }

  /** Null is no value. */
  require(key: string): void {
    if (this.#given(key) === undefined) this.#fault(`/${key}`, 'is required');
  }

  refuse(key: string, problem: string): void {
    this.#fault(`/${key}`, problem);
  }

  /** @throws ApprovalError of this code, with every fault */
  throwIfUnfit(code: 'approval_decision_invalid' | 'approval_request_invalid'): void {
    if (this.#faults.length > 0) throw new ApprovalError(code, { details: this.#faults });
  }

  #read<T>(key: string, problem: string, read: (value: unknown) => T | undefined): T | undefined {
    const given = this.#given(key);
    if (given === undefined) return undefined;
    const value = read(given);
    if (value === undefined) this.#fault(`/${key}`, problem);
    return value;
  }

  #given(key: string): unknown {
    return Object.hasOwn(this.#values, key) ? (this.#values[key] ?? undefined) : undefined;
  }

  #fault(pointer: string, problem: string): void {
    this.#faults.push({ pointer, problem });
  }
}

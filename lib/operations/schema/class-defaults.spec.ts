import { describe, expect, it } from '@jest/globals';
import { defaultsOf } from './class-defaults.js';

let count = 0;

class Initialised {
  text = 'a';
  zero = 0;
  list = ['a', { b: null }];
  nothing: string | null = null;
  absent: string | undefined = undefined;
  date = new Date(0);
  endless = Infinity;
  counter = ++count;
  method = (): void => undefined;
}

class Demanding {
  name: string;
  constructor(options: { name: string }) {
    this.name = options.name;
  }
}

describe('defaultsOf', () => {
  const defaults = defaultsOf(Initialised);

  it('tells the value of each initializer', () => {
    expect(defaults.get('text')).toEqual({ json: 'a' });
    expect(defaults.get('zero')).toEqual({ json: 0 });
    expect(defaults.get('list')).toEqual({ json: ['a', { b: null }] });
    expect(defaults.get('nothing')).toEqual({ json: null });
  });

  it('tells that there is a value where JSON cannot carry it, or each instance has another', () => {
    for (const name of ['date', 'endless', 'counter', 'method'])
      expect(defaults.get(name)).toEqual({ json: undefined });
  });

  it('has none for a property without an initializer, or a class that asks for arguments', () => {
    expect(defaults.has('absent')).toBe(false);
    expect(defaultsOf(Demanding as never).size).toBe(0);
  });
});

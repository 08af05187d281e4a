import { describe, expect, it } from '@jest/globals';
import { Expose } from 'class-transformer';
import { IsInt } from 'class-validator';
import { classOfParameter } from './index.js';

class Base {
  @IsInt()
  count!: number;
}

class Derived extends Base {}

class Bare {}

describe('classOfParameter', () => {
  it.each([Base, Derived])('knows a class with validators, its own or inherited', (type) => {
    expect(classOfParameter(type)).toEqual({ kind: 'dto', type, isValidated: true });
  });

  it('knows a class whose properties can be told, though nothing validates them', () => {
    class Exposed {
      @Expose()
      name!: string;
    }
    expect(classOfParameter(Exposed)).toEqual({ kind: 'dto', type: Exposed, isValidated: false });
  });

  it('knows a class without decorators', () => {
    expect(classOfParameter(Bare)).toEqual({ kind: 'undecorated', className: 'Bare' });
  });

  it.each([String, Number, Boolean, Date, Array, Map, Set])('knows a built-in type', (type) => {
    expect(classOfParameter(type)).toEqual({ kind: 'builtIn' });
  });

  it.each([Object, Function, undefined, null, Promise, { Red: 'red' }])('knows a type that was erased', (type) => {
    expect(classOfParameter(type)).toEqual({ kind: 'erased' });
  });
});

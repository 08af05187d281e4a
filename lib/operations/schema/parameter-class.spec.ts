import { describe, expect, it } from '@jest/globals';
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
    expect(classOfParameter(type)).toEqual({ kind: 'validated', type });
  });

  it('knows a class without', () => {
    expect(classOfParameter(Bare)).toEqual({ kind: 'undecorated', type: Bare });
  });

  it.each([String, Number, Boolean, Date, Array, Map, Set])('knows a built-in type', (type) => {
    expect(classOfParameter(type)).toEqual({ kind: 'builtIn' });
  });

  it.each([Object, Function, undefined, null, Promise, { Red: 'red' }])('knows a type that was erased', (type) => {
    expect(classOfParameter(type)).toEqual({ kind: 'erased' });
  });
});

import { describe, expect, it } from '@jest/globals';
import { IsOptional, ValidateIf } from 'class-validator';
import { exemptionOf, type Exemption } from './condition.js';
import { propertyMetadataOf } from './property-metadata.js';

function exemption(...decorators: PropertyDecorator[]): Exemption {
  class Dto {}
  decorators.forEach((decorate) => decorate(Dto.prototype, 'field'));
  return exemptionOf('field', propertyMetadataOf(Dto)[0]?.validators ?? []);
}

const NOTHING = { undefined: false, null: false, values: [], isUnknown: false };

describe('exemptionOf', () => {
  it('exempts nothing without a condition', () => {
    expect(exemption()).toEqual(NOTHING);
  });

  it.each([
    ['@IsOptional()', IsOptional(), { undefined: true, null: true }],
    ['value !== undefined', ValidateIf((_, value) => value !== undefined), { undefined: true }],
    ['value !== null', ValidateIf((_, value) => value !== null), { null: true }],
    [
      'value ?? false',
      ValidateIf((_, value) => ((value as unknown) ?? null) !== null),
      { undefined: true, null: true },
    ],
    ["value !== ''", ValidateIf((_, value) => value !== ''), { values: [''] }],
    [
      'the value itself',
      ValidateIf((object: { field?: unknown }) => Boolean(object.field)),
      { undefined: true, null: true, values: ['', 0, false] },
    ],
    ['always', ValidateIf(() => true), {}],
  ])('understands a condition on its own value: %s', (_name, decorator, exempt) => {
    expect(exemption(decorator)).toEqual({ ...NOTHING, ...exempt });
  });

  it('exempts what one of several conditions exempts', () => {
    const decorators = [ValidateIf((_, value) => value !== undefined), ValidateIf((_, value) => value !== null)];
    expect(exemption(...decorators)).toEqual({ ...NOTHING, undefined: true, null: true });
  });

  it.each([
    ['a sibling', ValidateIf((object: { kind?: string }) => object.kind === 'card')],
    ['a sibling that is a method', ValidateIf((object: { isCard(): boolean }) => object.isCard())],
    ['whether there is a sibling', ValidateIf((object: object) => 'kind' in object)],
    ['the keys of the object', ValidateIf((object: object) => Object.keys(object).length > 1)],
    ['certain values', ValidateIf((_, value) => value === 'text')],
    ['nothing that holds', ValidateIf(() => false)],
    [
      'something that throws',
      ValidateIf(() => {
        throw new Error('no');
      }),
    ],
  ])('does not understand a condition on %s', (_name, decorator) => {
    expect(exemption(decorator)).toMatchObject({ undefined: true, null: true, isUnknown: true });
  });
});

import { describe, expect, it } from '@jest/globals';
import { BootFaults, PaletteBootError } from './boot-faults.js';
import { ERROR_CODES, errorMessage } from './error-codes.js';
import { PaletteError } from './palette-error.js';

class OtherError extends PaletteError {
  static override readonly brand: symbol = Symbol.for('nestjs-palette:OtherError');
}

describe('PaletteError', () => {
  it('carries its code in the message, with what the table says of it', () => {
    const error = new OtherError('tool_result_too_large', { parameters: { maxBytes: 10 } });
    expect(error.message).toBe(
      '[tool_result_too_large] The result is larger than 10 bytes. Narrow the request: filter, page or select less.',
    );
    expect(error).toMatchObject({ name: 'OtherError', status: 413, retryable: false });
  });

  it('is recognised by its own class and by the base, and by no other', () => {
    const error = new OtherError('tool_unknown');
    expect(OtherError.isInstance(error)).toBe(true);
    expect(PaletteError.isInstance(error)).toBe(true);
    expect(PaletteBootError.isInstance(error)).toBe(false);
    expect(PaletteError.isInstance(new Error('x'))).toBe(false);
    expect(PaletteError.isInstance(null)).toBe(false);
  });

  it('names codes area_what in snake case', () => {
    for (const code of Object.keys(ERROR_CODES)) expect(code).toMatch(/^[a-z]+(_[a-z]+)+$/);
  });

  it('fills own parameters only', () => {
    expect(errorMessage('palette_unknown', {})).toContain('{palette}');
  });
});

describe('BootFaults', () => {
  it('throws all faults at once, each with its code in the message', () => {
    const faults = new BootFaults();
    faults.add('palette_allowlist_empty', { palette: 'a' });
    faults.add('palette_unknown', { palette: 'b' });
    const thrown = catchError(() => faults.throwIfAny());
    expect(PaletteBootError.isInstance(thrown) && thrown.faults.map((fault) => fault.code)).toEqual([
      'palette_allowlist_empty',
      'palette_unknown',
    ]);
    expect((thrown as Error).message).toMatch(/^\[palette_allowlist_empty\] Palette "a".*\n\[palette_unknown\]/);
  });

  it('throws nothing where nothing is wrong', () => {
    expect(() => new BootFaults().throwIfAny()).not.toThrow();
  });
});

function catchError(action: () => void): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

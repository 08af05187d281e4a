import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { OperationDescriptor } from '../../operations/index.js';
import { argumentFaults, isUnknownArgument, type ArgumentFault } from './argument-faults.js';

export interface RefusedArguments {
  readonly code: 'tool_arguments_invalid' | 'tool_arguments_unknown';
  readonly faults: readonly ArgumentFault[];
}

/** Checks arguments against an operation's schema. A validator is compiled once, when its operation is first called. */
export class ArgumentChecker {
  readonly #validators = new WeakMap<OperationDescriptor, ValidateFunction>();
  #ajv: Ajv2020 | undefined;

  check(operation: OperationDescriptor, args: Readonly<Record<string, unknown>>): RefusedArguments | undefined {
    const validate = this.#validator(operation);
    if (validate(args)) return undefined;
    const errors = validate.errors ?? [];
    const unknown = errors.filter(isUnknownArgument);
    return unknown.length > 0
      ? { code: 'tool_arguments_unknown', faults: argumentFaults(unknown) }
      : { code: 'tool_arguments_invalid', faults: argumentFaults(errors) };
  }

  #validator(operation: OperationDescriptor): ValidateFunction {
    const known = this.#validators.get(operation);
    if (known !== undefined) return known;
    // Formats are notes to the model: the application's own pipes judge them.
    this.#ajv ??= new Ajv2020({
      strict: false,
      allErrors: true,
      validateFormats: false,
      ownProperties: true,
      logger: false,
    });
    const compiled = this.#ajv.compile(operation.input.checkedSchema);
    this.#validators.set(operation, compiled);
    return compiled;
  }
}

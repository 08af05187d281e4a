import type { BootFaults } from '../../common/index.js';
import { isFramingHeader, isCredentialHeader, isHeaderName } from '../request/header-names.js';
import { dtoProperties, isDtoClass } from './dto-properties.js';
import type { EgressOperation } from './egress-operation.js';
import type { EgressService } from './egress-service.js';
import { parsePathTemplate, pathTemplateFaults } from './path-template.js';
import { isStandardSchema } from './standard-schema.js';

const METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Reports everything that is wrong with a declaration on its own, whatever the configuration says. */
export function reportDeclarationFaults(service: EgressService, faults: BootFaults): void {
  if (!isName(service.name)) {
    faults.add('egress_declaration_invalid', { where: 'An egress service', what: 'it needs a non-empty `name`' });
  }
  const seen = new Set<string>();
  for (const operation of service.operations) {
    const where = `Egress operation ${String(service.name)}.${String(operation.name)}`;
    const report = (what: string) => faults.add('egress_declaration_invalid', { where, what });
    if (seen.has(operation.name)) report('two operations of the service have this name');
    seen.add(operation.name);
    operationFaults(operation).forEach(report);
  }
}

function isName(name: unknown): boolean {
  return typeof name === 'string' && name.trim() !== '';
}

function operationFaults(operation: EgressOperation): string[] {
  return [
    ...(isName(operation.name) ? [] : ['it needs a non-empty `name`']),
    ...(METHODS.includes(operation.method) ? [] : [`its method must be one of ${METHODS.join(', ')}`]),
    ...pathTemplateFaults(operation.path).map((fault) => `its path ${fault}`),
    ...shapeFaults(operation),
    ...placementFaults(operation),
    ...headerFaults(operation),
  ];
}

function shapeFaults(operation: EgressOperation): string[] {
  return (['args', 'returns'] as const).flatMap((key) => {
    const shape = operation[key];
    if (shape === undefined) return [];
    if (key === 'returns' && operation.method === 'HEAD') return ['HEAD has no reply to check: leave out `returns`'];
    if (isStandardSchema(shape)) return [];
    if (!isDtoClass(shape)) return [`\`${key}\` must be a DTO class or a Standard Schema`];
    return dtoProperties(shape).length > 0 ? [] : [`\`${key}\` (${shape.name}) has no class-validator decorators`];
  });
}

/** Each argument has one place. The properties of a Standard Schema are not readable: those are checked at the call. */
function placementFaults(operation: EgressOperation): string[] {
  const placed = [
    ...parsePathTemplate(operation.path).arguments.map((name) => ({ name, place: 'a placeholder of its path' })),
    ...operation.query.map((name) => ({ name, place: '`query`' })),
    ...Object.values(operation.headers).map((name) => ({ name, place: '`headers`' })),
  ];
  const names = placed.map(({ name }) => name);
  const twice = placed.filter(({ name }, index) => names.indexOf(name) !== index);
  const faults = twice.map(({ name, place }) => `"${name}" already has a place and is in ${place} as well`);
  if (operation.args === undefined) return [...faults, ...placed.map(unknownArgument)];
  if (!isDtoClass(operation.args)) return faults;
  const known = dtoProperties(operation.args);
  const unknown = placed.filter(({ name }) => !known.includes(name)).map(unknownArgument);
  return [
    ...faults,
    ...unknown,
    ...bodilessFaults(
      operation,
      known.filter((name) => !names.includes(name)),
    ),
  ];
}

function unknownArgument({ name, place }: { name: string; place: string }): string {
  return `${place} names "${name}", which is not a property of its args`;
}

function bodilessFaults(operation: EgressOperation, remaining: readonly string[]): string[] {
  if (operation.method !== 'GET' && operation.method !== 'HEAD') return [];
  return remaining.map((name) => `${operation.method} has no body to put "${name}" into: list it in \`query\``);
}

function headerFaults(operation: EgressOperation): string[] {
  const names = Object.keys(operation.headers);
  const lowerCase = names.map((name) => name.toLowerCase());
  return names.flatMap((name, index) => {
    if (!isHeaderName(name)) return ['`headers` has a name that is not a header name'];
    if (isCredentialHeader(name)) return [`\`headers\` sets "${name}": use \`credentials\` of the service`];
    if (isFramingHeader(name)) return [`\`headers\` sets "${name}", which the transport owns`];
    return lowerCase.indexOf(name.toLowerCase()) === index ? [] : [`\`headers\` sets "${name}" twice`];
  });
}

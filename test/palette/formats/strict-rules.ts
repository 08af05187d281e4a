import type { JsonSchema } from 'nestjs-palette';

/**
 * What the documentation of strict mode says, rule by rule, as one reads it. Written apart from the code that it judges.
 *
 * @see https://platform.openai.com/docs/guides/structured-outputs#supported-schemas
 */
export function strictFaults(document: JsonSchema): string[] {
  const faults: string[] = [];
  if (document.type !== 'object') faults.push('the root is no object');
  if (document.anyOf !== undefined) faults.push('the root is a union');
  for (const [at, schema] of schemasOf(document, ''))
    faults.push(...schemaFaults(schema, document).map((each) => `${at} ${each}`));
  return [...faults, ...sizeFaults(document)];
}

const ANYWHERE = ['description', 'title', '$defs'];
const BY_TYPE: Readonly<Record<string, readonly string[]>> = {
  string: ['type', 'enum', 'const', 'pattern', 'format'],
  number: ['type', 'enum', 'const', 'multipleOf', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  integer: ['type', 'enum', 'const', 'multipleOf', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  boolean: ['type', 'enum', 'const'],
  null: ['type'],
  object: ['type', 'properties', 'required', 'additionalProperties'],
  array: ['type', 'items', 'minItems', 'maxItems'],
};
const FORMATS = ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'];

function schemaFaults(schema: JsonSchema, document: JsonSchema): string[] {
  const keywords = Object.keys(schema);
  if (schema.$ref !== undefined) {
    const target = /^#\/\$defs\/(\w+)$/.exec(schema.$ref)?.[1];
    const isResolved = target !== undefined && Object.hasOwn(document.$defs ?? {}, target);
    return [
      ...(isResolved ? [] : ['refers to nothing']),
      ...(keywords.length > 1 ? ['has more than a reference'] : []),
    ];
  }
  if (schema.anyOf !== undefined) {
    const other = keywords.filter((keyword) => keyword !== 'anyOf' && !ANYWHERE.includes(keyword));
    return [
      ...other.map((each) => `has ${each} beside anyOf`),
      ...(schema.anyOf.length === 0 ? ['has no branch'] : []),
    ];
  }
  const types = schema.type === undefined ? [] : [schema.type].flat();
  if (types.length === 0) return ['has no type'];
  if (types.filter((type) => type !== 'null').length > 1) return ['has several types'];
  const allowed = [...ANYWHERE, ...types.flatMap((type) => BY_TYPE[type] ?? [])];
  return [
    ...keywords.filter((keyword) => !allowed.includes(keyword)).map((keyword) => `has ${keyword}`),
    ...(types.includes('object') ? objectFaults(schema) : []),
    ...(types.includes('array') && typeof schema.items !== 'object' ? ['does not tell its items'] : []),
    ...(schema.format !== undefined && !FORMATS.includes(schema.format) ? [`has the format ${schema.format}`] : []),
    ...(schema.pattern !== undefined && /\(\?<?[=!]/.test(schema.pattern) ? ['looks around'] : []),
  ];
}

function objectFaults({ properties, required = [], additionalProperties }: JsonSchema): string[] {
  const names = Object.keys(properties ?? {});
  return [
    ...(properties === undefined ? ['has no properties'] : []),
    ...(additionalProperties === false ? [] : ['is open']),
    ...names.filter((name) => !required.includes(name)).map((name) => `does not require ${name}`),
    ...required.filter((name) => !names.includes(name)).map((name) => `requires ${name}, which it does not have`),
  ];
}

function sizeFaults(document: JsonSchema): string[] {
  const schemas = schemasOf(document, '').map(([, schema]) => schema);
  const properties = schemas.flatMap((schema) => Object.keys(schema.properties ?? {}));
  const values = schemas.flatMap((schema) => schema.enum ?? []);
  const names = [...properties, ...values, ...Object.keys(document.$defs ?? {})].map(String).join('');
  return [
    ...(properties.length > 5_000 ? ['has too many properties'] : []),
    ...(values.length > 1_000 ? ['has too many enum values'] : []),
    ...(names.length > 120_000 ? ['has too much text'] : []),
    ...(depthOf(document, document, []) > 10 ? ['is too deep'] : []),
  ];
}

function depthOf(schema: JsonSchema, document: JsonSchema, path: readonly string[]): number {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.slice('#/$defs/'.length);
    return path.includes(name) ? 0 : depthOf(document.$defs?.[name] ?? {}, document, [...path, name]);
  }
  const deepest = Math.max(0, ...innerOf(schema).map(([, inner]) => depthOf(inner, document, path)));
  return deepest + (schema.type === 'object' ? 1 : 0);
}

function schemasOf(schema: JsonSchema, at: string): [string, JsonSchema][] {
  const definitions = Object.entries(schema.$defs ?? {}).map(([name, each]) => [`$defs/${name}`, each] as const);
  const inner = [...innerOf(schema), ...definitions];
  return [[at, schema], ...inner.flatMap(([name, each]) => schemasOf(each, `${at}/${name}`))];
}

function innerOf(schema: JsonSchema): (readonly [string, JsonSchema])[] {
  return [
    ...Object.entries(schema.properties ?? {}),
    ...(typeof schema.items === 'object' ? [['items', schema.items] as const] : []),
    ...(schema.anyOf ?? []).map((each, index) => [`anyOf/${index}`, each] as const),
  ];
}

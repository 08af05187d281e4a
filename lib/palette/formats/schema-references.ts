import { ownValue, type JsonSchema } from '../../common/index.js';

/** The definition that a `$ref` of a document leads to; undefined where it leads nowhere in it. */
export function referencedDefinition(ref: string, document: JsonSchema): JsonSchema | undefined {
  const name = definitionName(ref);
  const definition = name === undefined ? undefined : ownValue(document.$defs ?? {}, name);
  return typeof definition === 'object' && definition !== null ? (definition as JsonSchema) : undefined;
}

/** `NoteRead` of `#/$defs/NoteRead`. */
export function definitionName(ref: string): string | undefined {
  return /^#\/\$defs\/([A-Za-z0-9_]+)$/.exec(ref)?.[1];
}

/** Names of the definitions that a definition leads to, over any number of references; itself where it is recursive. */
export function definitionsBehind(
  name: string,
  definitions: Readonly<Record<string, JsonSchema>>,
): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (schema: JsonSchema | undefined): void => {
    for (const [, next] of JSON.stringify(schema ?? {}).matchAll(/"\$ref":"#\/\$defs\/(\w+)"/g)) {
      if (next === undefined || found.has(next)) continue;
      found.add(next);
      visit(definitions[next]);
    }
  };
  visit(definitions[name]);
  return found;
}

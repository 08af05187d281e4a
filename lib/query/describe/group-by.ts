/** Groups elements by a key, in the order in which keys first come up. */
export function groupBy<Element>(elements: readonly Element[], keyOf: (element: Element) => string): Element[][] {
  const groups = new Map<string, Element[]>();
  for (const element of elements) {
    const key = keyOf(element);
    const group = groups.get(key);
    if (group) group.push(element);
    else groups.set(key, [element]);
  }
  return [...groups.values()];
}

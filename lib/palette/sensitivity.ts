import { sensitiveLabelOf, sensitivePropertyLabelOf } from '../common/index.js';
import { readClassProperties, type OperationDescriptor } from '../operations/index.js';
import { QueryInput } from '../query/index.js';

/** What makes an operation sensitive: its own mark, or a mark on its read model; undefined where nothing does. */
export function sensitivity(operation: OperationDescriptor): string | undefined {
  if (operation.sensitive) return 'is marked sensitive';
  for (const { readModel } of [...operation.input.declared.values()].filter((each) => each instanceof QueryInput)) {
    const label = sensitiveLabelOf(readModel);
    if (label !== undefined) return `reads ${readModel.name}, which is marked sensitive (${label})`;
    for (const { name } of readClassProperties(readModel)) {
      const ofProperty = sensitivePropertyLabelOf(readModel, name);
      if (ofProperty !== undefined) return `reads ${readModel.name}.${name}, which is marked sensitive (${ofProperty})`;
    }
  }
  return undefined;
}

export type { ApprovalQuestion, ApprovalRule } from './decorators/approval-rule.js';
export {
  Operation,
  type OperationAddressChoice,
  type OperationAllowance,
  type OperationAnnotations,
  type OperationKind,
  type OperationOptions,
} from './decorators/operation.decorator.js';
export { bindArguments, type BindingFault, type BoundArguments } from './input/bind-arguments.js';
export { declareInput, declaredInputs, type DeclaredInput } from './input/declared-input.js';
export { inputSchemaWith, type OperationInput, type PlacedSlot } from './input/operation-input.js';
export { OperationAddresses, type OperationAddress } from './route/operation-addresses.js';
export { operationPlace, type OperationDescriptor, type OperationMessage, type OperationRoute } from './operation.js';
export { OperationCatalogue } from './operation-catalogue.js';
export { fillRouteTemplate, type RouteTemplate } from './route/route-template.js';
export { inputDocument, readClassProperties, SchemaContext, type SchemaGap } from './schema/index.js';

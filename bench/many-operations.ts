import { Body, Controller, Get, Module, Param, Post, type DynamicModule, type Type } from '@nestjs/common';
import { IsInt, IsOptional, IsString, MaxLength } from 'class-validator';
import { Operation, OperationsModule, operationsUnder } from 'nestjs-palette';

const PAIRS_PER_CONTROLLER = 5;

class ManyModule {}
Module({})(ManyModule);

/**
 * An application with `routes` routes, half of them with a DTO, of which `operations` are operations in the palette `all`.
 * Without operations it does not import the library's module.
 */
export function manyOperations(routes: number, operations: number): DynamicModule {
  let left = operations;
  const mark = (): boolean => left-- > 0;
  const count = routes / (2 * PAIRS_PER_CONTROLLER);
  const controllers = Array.from({ length: count }, (_, index) => makeController(index, mark));
  const imports: DynamicModule[] =
    operations === 0
      ? []
      : [
          OperationsModule.forRoot({ audit: { sink: { record: () => undefined } } }),
          OperationsModule.forFeature({
            palettes: [{ name: 'all', readOnly: false, include: [operationsUnder('resource')] }],
          }),
        ];
  return { module: ManyModule, imports, controllers };
}

function makeController(index: number, mark: () => boolean): Type {
  class ResourceController {}
  for (let pair = 0; pair < PAIRS_PER_CONTROLLER; pair++) {
    addMethod(ResourceController, `read${pair}`, Get(`${pair}/:id`), Param('id'), String, mark());
    addMethod(ResourceController, `create${pair}`, Post(`${pair}`), Body(), makeDto(), mark());
  }
  Controller(`resource${index}`)(ResourceController);
  return ResourceController;
}

function addMethod(
  controller: Type,
  name: string,
  verb: MethodDecorator,
  parameter: ParameterDecorator,
  type: unknown,
  isOperation: boolean,
): void {
  const prototype = controller.prototype as object;
  const descriptor = { value: (input: unknown) => ({ input }), writable: true, configurable: true, enumerable: false };
  Object.defineProperty(prototype, name, descriptor);
  parameter(prototype, name, 0);
  Reflect.defineMetadata('design:paramtypes', [type], prototype, name);
  verb(prototype, name, descriptor);
  if (isOperation) Operation({ description: `Does ${name}.` })(prototype, name, descriptor);
}

function makeDto(): Type {
  class ResourceDto {
    @IsString() @MaxLength(100) title!: string;
    @IsOptional() @IsString() body?: string;
    @IsInt() priority!: number;
  }
  return ResourceDto;
}

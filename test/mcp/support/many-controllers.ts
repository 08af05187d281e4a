import { Controller, Get } from '@nestjs/common';
import { Operation } from 'nestjs-palette';

/** So many controllers of one operation each, in order. */
export function manyControllers(count: number) {
  return Array.from({ length: count }, (_, index) => {
    @Controller(`many${index}`)
    class ManyController {
      @Operation({ name: `many${index}.read` })
      @Get()
      read(): number {
        return index;
      }
    }
    return ManyController;
  });
}

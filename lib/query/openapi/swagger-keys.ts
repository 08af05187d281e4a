/**
 * The metadata keys of `@nestjs/swagger`, which is not imported: an application need not have it.
 * @see https://docs.nestjs.com/openapi/introduction
 */
export const SWAGGER_KEYS = {
  parameters: 'swagger/apiParameters',
  extraModels: 'swagger/apiExtraModels',
  extension: 'swagger/apiExtension',
  schema: 'swagger/apiSchema',
} as const;

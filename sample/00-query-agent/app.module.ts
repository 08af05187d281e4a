import { Module, ValidationPipe, type DynamicModule } from '@nestjs/common';
import { APP_PIPE } from '@nestjs/core';
import { EgressHttpModule, operation, OperationsModule } from 'nestjs-palette';
import { AnswerService, PROVIDER } from './answers/answer.service.js';
import { AskController } from './answers/ask.controller.js';
import { AuthModule } from './auth/auth.module.js';
import { FilmsController } from './films/films.controller.js';
import { FilmsModule } from './films/films.module.js';
import { CannedProvider } from './model/canned-provider.js';
import { hopTo, modelService, type Provider } from './model/model.service.js';
import { NotesController } from './notes/notes.controller.js';
import { NotesModule } from './notes/notes.module.js';

export interface AppOptions {
  /** Whether somebody accepted that questions and rows leave for the model. */
  readonly acknowledgeDataEgress: boolean;
  /** Who answers. Default: a canned provider in this process. */
  readonly provider?: Provider | undefined;
}

@Module({})
export class AppModule {
  static register(options: AppOptions): DynamicModule {
    return {
      module: AppModule,
      imports: [
        AuthModule,
        NotesModule,
        FilmsModule,
        OperationsModule.forRoot({}),
        OperationsModule.forFeature({
          palettes: [
            {
              name: 'answering',
              include: [
                operation(NotesController, 'list'),
                operation(NotesController, 'aggregate'),
                operation(FilmsController, 'list'),
                operation(FilmsController, 'aggregate'),
              ],
            },
          ],
        }),
        EgressHttpModule.forRoot({
          services: {
            model: { ...hopTo(options.provider), acknowledgeDataEgress: options.acknowledgeDataEgress },
          },
        }),
        EgressHttpModule.forFeature([modelService]),
      ],
      controllers: [AskController],
      providers: [
        AnswerService,
        ...(options.provider === undefined ? [CannedProvider] : []),
        { provide: PROVIDER, useValue: options.provider },
        { provide: APP_PIPE, useValue: new ValidationPipe({ whitelist: true, transform: true }) },
      ],
    };
  }
}

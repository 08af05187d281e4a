import { Module } from '@nestjs/common';
import { EgressHttpModule, OperationsModule, operationsUnder } from 'nestjs-palette';
import { DataSource } from 'typeorm';
import { AnswerService, PROVIDER } from '../00-query-agent/answers/answer.service.js';
import { AskController } from '../00-query-agent/answers/ask.controller.js';
import { AuthModule } from '../00-query-agent/auth/auth.module.js';
import { CannedProvider } from '../00-query-agent/model/canned-provider.js';
import { hopTo, modelService } from '../00-query-agent/model/model.service.js';
import { FilmsController } from './films/films.controller.js';
import { openFilms } from './films/films.database.js';
import { FilmsService } from './films/films.service.js';

/** The agent of sample 00, over films in a database. */
@Module({
  imports: [
    AuthModule,
    OperationsModule.forRoot({}),
    OperationsModule.forFeature({ palettes: [{ name: 'answering', include: [operationsUnder('films.')] }] }),
    EgressHttpModule.forRoot({
      services: {
        model: {
          ...hopTo(undefined),
          acknowledgeDataEgress: { by: 'the sample', reason: 'films are public', on: '2026-01-01' },
        },
      },
    }),
    EgressHttpModule.forFeature([modelService]),
  ],
  controllers: [AskController, FilmsController],
  providers: [
    AnswerService,
    CannedProvider,
    FilmsService,
    { provide: DataSource, useFactory: openFilms },
    { provide: PROVIDER, useValue: undefined },
  ],
})
export class AppModule {}

import { Module } from '@nestjs/common';
import { operation, OperationsModule } from 'nestjs-palette';
import { McpModule } from 'nestjs-palette/mcp';
import { AuthModule } from '../00-query-agent/auth/auth.module.js';
import { NotesController } from '../00-query-agent/notes/notes.controller.js';
import { NotesModule } from '../00-query-agent/notes/notes.module.js';

/** The notes of sample 00, for any MCP client. */
@Module({
  imports: [
    AuthModule,
    NotesModule,
    OperationsModule.forRoot({}),
    OperationsModule.forFeature({
      palettes: [
        {
          name: 'notes',
          include: [operation(NotesController, 'list'), operation(NotesController, 'aggregate')],
          sharedFilterGrammar: true,
        },
      ],
    }),
    McpModule.forRoot({
      path: '/mcp',
      palette: 'notes',
      serverInfo: { name: 'notes', version: '1.0.0' },
      instructions: 'Notes of everybody in the house.',
    }),
  ],
})
export class AppModule {}

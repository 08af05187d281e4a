import { Module } from '@nestjs/common';
import { FilmsController } from './films.controller.js';

@Module({ controllers: [FilmsController] })
export class FilmsModule {}

import type { INestApplication } from '@nestjs/common';
import { Transport, type MicroserviceOptions } from '@nestjs/microservices';

/** For `configure`: the application answers messages as well, over TCP on a free port, under its own global enhancers. */
export function connectMessageService(app: INestApplication): void {
  const service: MicroserviceOptions = { transport: Transport.TCP, options: { host: '127.0.0.1', port: 0 } };
  app.connectMicroservice(service, { inheritAppConfig: true });
}

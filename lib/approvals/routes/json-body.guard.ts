import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { toHttpException } from '../../common/index.js';
import { ApprovalError } from '../approval-error.js';

const JSON_TYPE = /^application\/(?:[\w.!#$&^-]+\+)?json$/i;

/**
 * Lets through what says that its body is JSON. A form of any page can send every other type without being asked, with the
 * cookies of whoever looks at it; for JSON the browser asks first (CORS). It goes by the header alone: whether anything reads
 * other types is for the application's parsers to say.
 */
@Injectable()
export class JsonBodyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { headers } = context
      .switchToHttp()
      .getRequest<{ readonly headers: Readonly<Record<string, string | undefined>> }>();
    const [type = ''] = (headers['content-type'] ?? '').split(';', 1);
    if (!JSON_TYPE.test(type.trim())) throw toHttpException(new ApprovalError('approval_body_type'));
    return true;
  }
}

import type { Config } from '../config/config.ts';
import { createDiskFiles } from './disk.ts';
import type { Files } from './files.ts';
import { createS3Files } from './s3.ts';

/** On the disk, or in a bucket where one is configured. */
export const openFiles = (config: Config): Promise<Files> =>
  config.s3 === null ? createDiskFiles(config) : createS3Files(config, config.s3);

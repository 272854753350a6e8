import { z } from 'zod';

/** The file beside a model that says how to feed it and how to read its answer. README: "Bring your own model". */

export const DETECTOR_FAMILIES = [
  'yolox',
  'yolov8',
  'yolo11',
  'rtdetr',
  'dfine',
  'nanodet',
  'fastestdet',
] as const;

const FAMILIES = [...DETECTOR_FAMILIES, 'embedding'] as const;

export type DetectorFamily = (typeof DETECTOR_FAMILIES)[number];

const share = z.number().min(0).max(1);
const side = z.int().min(16).max(4096);
const name = z.string().min(1);
const perChannel = z.union([z.number(), z.array(z.number()).length(3)]);

const inputSchema = z.strictObject({
  /** Of the model's input; may be left out where there is one (or the other one is `orig_target_sizes`). */
  name: name.optional(),
  width: side,
  height: side,
  /** Keep the picture's shape and fill the rest, or pull it to the model's. */
  fit: z.enum(['letterbox', 'stretch']),
  anchor: z.enum(['top_left', 'center']).default('top_left'),
  /** Value from 0 to 255 of what a letterbox leaves free. */
  fill: z.number().min(0).max(255).default(114),
  channels: z.enum(['rgb', 'bgr']),
  /** What the network gets is (value × scale − mean) / std, in the order of `channels`; values are 0 to 255. */
  scale: z.number().positive().default(1),
  mean: perChannel.default(0),
  std: z.union([z.number().positive(), z.array(z.number().positive()).length(3)]).default(1),
});

export const descriptionSchema = z
  .strictObject({
    /** Path of the .onnx file, from this file. */
    model: name,
    family: z.enum(FAMILIES),
    input: inputSchema,
    /** Names of the outputs to read, where the model has more than the family needs or in no telling order. */
    outputs: z.array(name).min(1).optional(),
    /** One label for each class in the order of the classes: in a file, one a line, or here. */
    labels: z.union([name, z.array(name).min(1)]).optional(),
    score_threshold: share.default(0.3),
    /** By the model's label, in place of `score_threshold`. */
    label_thresholds: z.record(z.string(), share).default({}),
    /** Of two boxes of one label that overlap by more, the surer one stays; 1: all stay. Default by family. */
    nms_iou: share.optional(),
    max_detections: z.int().min(1).max(1000).default(30),
    /** The model's labels to keep; all when left out. */
    include: z.array(name).min(1).optional(),
    exclude: z.array(name).default([]),
    /** The model's label → the name to give instead. */
    synonyms: z.record(z.string(), name).default({}),
  })
  .superRefine((description, context) => {
    if (description.family === 'embedding' || description.labels !== undefined) return;
    context.addIssue({ code: 'custom', path: ['labels'], message: 'expected a file name or a list' });
  });

/** The keys there are, by the path of the table they stand in. */
export const DESCRIPTION_KEYS: Readonly<Record<string, readonly string[]>> = {
  '': Object.keys(descriptionSchema.shape),
  input: Object.keys(inputSchema.shape),
};

/** As written, defaults filled in. */
export type Description = z.output<typeof descriptionSchema>;
export type InputDescription = Description['input'];

/** A description with what it points to: ready for a thread that has only this. */
export interface ModelDescription extends Omit<Description, 'labels'> {
  /** The description's own path, for messages. */
  readonly source: string;
  /** Absolute path of the .onnx file. */
  readonly modelPath: string;
  /** By class; none for an embedding. */
  readonly labels: readonly string[];
}

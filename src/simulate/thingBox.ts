import type { Box } from '../math/types.js';
import { thingHull } from './compileScene.js';
import type { Thing } from './Scene.js';

/** The thing's gravity-aligned box along its own axes. */
export function thingBox(thing: Thing): Box {
  const { yaw, position } = thing.pose;
  const { low, high } = thingHull({ ...thing, pose: { position: [0, 0, 0], yaw: 0 } });
  const x = (low[0] + high[0]) / 2;
  const y = (low[1] + high[1]) / 2;
  const c = Math.cos(yaw);
  const s = Math.sin(yaw);
  return {
    center: [position[0] + c * x - s * y, position[1] + s * x + c * y, position[2] + (low[2] + high[2]) / 2],
    size: [high[0] - low[0], high[1] - low[1], high[2] - low[2]],
    yaw,
  };
}

/** The axis-aligned box around it: what truth files hold. */
export function thingHullBox(thing: Thing): Box {
  const { low, high } = thingHull(thing);
  return {
    center: [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2],
    size: [high[0] - low[0], high[1] - low[1], high[2] - low[2]],
    yaw: 0,
  };
}

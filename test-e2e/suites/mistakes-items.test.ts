// What users read after mistakes in what deployers do: place, cause and remedy.
import { describeMistakes } from "../src/mistakes/describe-mistakes.ts";

describeMistakes(["objects", "charts", "containers"]);

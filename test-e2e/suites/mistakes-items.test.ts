// Place, cause and remedy in the outputs after mistakes in objects, charts and programs of deploy items.
import { describeMistakes } from "../src/mistakes/describe-mistakes.ts";

describeMistakes(["objects", "charts", "containers"]);

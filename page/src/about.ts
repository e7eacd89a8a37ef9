// What the server says about itself, for the views that depend on it.
import { createContext } from "preact";
import type { AboutServer } from "./main";

export const About = createContext<AboutServer | null>(null);

"use strict";

Words.speak(Words.preferred());

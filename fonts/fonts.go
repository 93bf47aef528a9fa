// Package fonts holds the typefaces the pages are set in: IBM Plex Sans, IBM
// Plex Sans Arabic and IBM Plex Mono, as subset woff2 files. Their licences
// (SIL Open Font License 1.1) lie beside them.
package fonts

import "embed"

// FS holds the font files, served under /fonts/.
//
//go:embed *.woff2
var FS embed.FS

// TTF holds the whole static typefaces, regular, bold and mono, that PDFs are set in. They are never served.
//
//go:embed *.ttf
var TTF embed.FS

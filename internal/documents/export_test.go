package documents

// What tests of the answers in files, which are read by importers, make their files with.
var (
	WordFile   = wordFile
	WordPage   = wordPage
	WordRun    = run
	WordTables = wordTables
	PDFRows    = pdfRows
)

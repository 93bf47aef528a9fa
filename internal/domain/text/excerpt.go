package text

// Excerpt is a piece of a text.
type Excerpt struct {
	Text   string
	Start  int    // offset of the excerpt in the text, in code points
	Marks  []Span // the words found, as spans of Text
	Focus  int    // offset in Text of the first mark whose word is rarest in the text; 0 if none
	Before bool   // the text goes on before it
	After  bool   // the text continues after it
}

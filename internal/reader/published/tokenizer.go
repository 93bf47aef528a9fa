package published

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"slices"

	"sanad/internal/domain"
	"sanad/internal/reader"
	"sanad/internal/words"
)

const tokenizerFile = "tokenizer.json"

// tokenizer is what is read of tokenizer.json.
type tokenizer struct {
	Added         []addedToken `json:"added_tokens"`
	Normalizer    *step        `json:"normalizer"`
	PreTokenizer  *step        `json:"pre_tokenizer"`
	PostProcessor *step        `json:"post_processor"`
	Model         struct {
		Type         string          `json:"type"`
		Unknown      string          `json:"unk_token"`
		UnknownID    *int            `json:"unk_id"`
		Bytes        bool            `json:"byte_fallback"`
		Continuation string          `json:"continuing_subword_prefix"`
		LongestWord  int             `json:"max_input_chars_per_word"`
		Vocabulary   json.RawMessage `json:"vocab"`
	} `json:"model"`
}

// step is a step of a tokenizer, with the fields of all kinds.
type step struct {
	Type          string  `json:"type"`
	Normalizers   []step  `json:"normalizers"`
	PreTokenizers []step  `json:"pretokenizers"`
	Charsmap      *string `json:"precompiled_charsmap"`
	StripLeft     bool    `json:"strip_left"`
	StripRight    bool    `json:"strip_right"`
	Pattern       struct {
		Regex string
	} `json:"pattern"`
	Content      string                  `json:"content"`
	CleanText    *bool                   `json:"clean_text"`
	Ideograms    *bool                   `json:"handle_chinese_chars"`
	StripAccents *bool                   `json:"strip_accents"`
	Lower        *bool                   `json:"lowercase"`
	Replacement  string                  `json:"replacement"`
	Scheme       string                  `json:"prepend_scheme"`
	Prefix       *bool                   `json:"add_prefix_space"`
	Split        *bool                   `json:"split"`
	Begin        mark                    `json:"cls"`
	Separator    mark                    `json:"sep"`
	Pair         []part                  `json:"pair"`
	Marks        map[string]specialToken `json:"special_tokens"`
}

// addedToken is a token that is looked for before a text is cut.
type addedToken struct {
	ID      int    `json:"id"`
	Content string `json:"content"`
	Special bool   `json:"special"`
}

// specialToken is a mark of a template.
type specialToken struct {
	IDs []int `json:"ids"`
}

// part is a mark or a text in the template of a pair.
type part struct {
	Mark *place `json:"SpecialToken"`
	Text *place `json:"Sequence"`
}

type place struct {
	ID      string `json:"id"`
	Segment int    `json:"type_id"`
}

// mark is a mark by name and id, as a list of both.
type mark struct {
	name string
	id   int
}

// UnmarshalJSON reads a list of name and id.
func (m *mark) UnmarshalJSON(encoded []byte) error {
	return json.Unmarshal(encoded, &[]any{&m.name, &m.id})
}

// read is what a tokenizer says of a model.
type read struct {
	form     reader.Form
	pieces   []string
	scores   []float64
	marks    []int
	charsmap []byte
	segments bool // the claim is of a second segment
}

// refuseStep refuses a tokenizer with a step that is not computed.
func refuseStep(why domain.Message) error { return refuse(tokenizerFile, mendOther, why) }

// read returns what the file says, and refuses what the reader does not compute.
func (t *tokenizer) read() (r read, err error) {
	switch t.Model.Type {
	case "WordPiece":
		err = t.readWordPiece(&r)
	case "Unigram":
		err = t.readUnigram(&r)
	default:
		err = refuseStep(words.Msg("reader_tokenizer", "Name", shown(t.Model.Type)))
	}
	if err == nil {
		err = t.readAdded(&r)
	}
	if err == nil {
		err = t.readPair(&r)
	}
	return r, err
}

func (t *tokenizer) readWordPiece(r *read) error {
	var ids map[string]int
	if err := decodeJSON(tokenizerFile, t.Model.Vocabulary, &ids); err != nil {
		return err
	}
	r.pieces = make([]string, len(ids))
	for piece, id := range ids {
		if id < 0 || id >= len(ids) || r.pieces[id] != "" || piece == "" {
			return refuse(tokenizerFile, mendCopy, words.Msg("reader_piece", "Name", shown(piece), "N", id, "Most", len(ids)))
		}
		r.pieces[id] = piece
	}
	unknown, found := ids[t.Model.Unknown]
	if !found {
		return refuse(tokenizerFile, mendCopy, words.Msg("reader_vocabulary", "Name", shown(t.Model.Unknown)))
	}
	if t.Model.Continuation != "##" {
		return refuseStep(words.Msg("reader_continuation", "Name", shown(t.Model.Continuation)))
	}
	n, p := t.Normalizer, t.PreTokenizer
	if n == nil || n.Type != "BertNormalizer" || !isTrue(n.CleanText) || n.Lower == nil || n.Ideograms == nil {
		return refuseStep(words.Msg("reader_wordpiece_normaliser", "Name", n.kind()))
	}
	if p == nil || p.Type != "BertPreTokenizer" {
		return refuseStep(words.Msg("reader_wordpiece_pre", "Name", p.kind()))
	}
	r.form = reader.Form{
		Tokenizer: reader.WordPiece, Unknown: unknown, LongestWord: t.Model.LongestWord,
		Lower: *n.Lower, Ideograms: *n.Ideograms, StripAccents: *n.Lower,
	}
	if n.StripAccents != nil {
		r.form.StripAccents = *n.StripAccents
	}
	return nil
}

func (t *tokenizer) readUnigram(r *read) error {
	var vocabulary []json.RawMessage
	if err := decodeJSON(tokenizerFile, t.Model.Vocabulary, &vocabulary); err != nil {
		return err
	}
	for id, encoded := range vocabulary {
		var piece string
		var score float64
		pair := []any{&piece, &score}
		if err := json.Unmarshal(encoded, &pair); err != nil || len(pair) != 2 {
			return refuse(tokenizerFile, mendCopy, words.Msg("reader_score", "N", id))
		}
		r.pieces, r.scores = append(r.pieces, piece), append(r.scores, score)
	}
	if t.Model.UnknownID == nil || *t.Model.UnknownID < 0 || *t.Model.UnknownID >= len(r.pieces) {
		return refuse(tokenizerFile, mendCopy, words.Msg("reader_unknown_piece"))
	}
	if t.Model.Bytes {
		return refuseStep(words.Msg("reader_bytes"))
	}
	r.form = reader.Form{Tokenizer: reader.Unigram, Unknown: *t.Model.UnknownID}
	r.marks = []int{*t.Model.UnknownID}
	if err := r.addNormalizers(t.Normalizer); err != nil {
		return err
	}
	return r.addPreTokenizers(t.PreTokenizer)
}

// addNormalizers reads what is done to a text before it is cut into words: the map of characters comes first.
func (r *read) addNormalizers(n *step) error {
	steps := []step{}
	if n != nil {
		steps = append(steps, *n)
		if n.Type == "Sequence" {
			steps = n.Normalizers
		}
	}
	for i, s := range steps {
		switch {
		case s.Type == "Precompiled" && i == 0 && s.Charsmap != nil:
			var err error
			if r.charsmap, err = base64.StdEncoding.DecodeString(*s.Charsmap); err != nil {
				return refuse(tokenizerFile, mendCopy, words.Msg("reader_charsmap", "Why", err.Error()))
			}
		case s.Type == "Strip" && !r.form.OneSpace:
			r.form.StripLeft, r.form.StripRight = s.StripLeft, s.StripRight
		case s.Type == "Replace" && s.Pattern.Regex == " {2,}" && (s.Content == " " || s.Content == "▁"):
			r.form.OneSpace = true
		default:
			return refuseStep(words.Msg("reader_normaliser", "Name", s.kind()))
		}
	}
	return nil
}

// addPreTokenizers reads how a text is cut into words: each has ▁ before it.
func (r *read) addPreTokenizers(p *step) error {
	steps := []step{}
	if p != nil {
		steps = append(steps, *p)
		if p.Type == "Sequence" {
			steps = p.PreTokenizers
		}
	}
	if len(steps) == 2 && steps[0].Type == "WhitespaceSplit" {
		r.form.SplitSpace = true
		steps = steps[1:]
	}
	if len(steps) != 1 || steps[0].Type != "Metaspace" {
		return refuseStep(words.Msg("reader_unigram_pre", "Name", p.kind()))
	}
	s := steps[0]
	always := s.Scheme == "always" || s.Scheme == "first" && !r.form.SplitSpace ||
		s.Scheme == "" && (s.Prefix == nil || *s.Prefix)
	if s.Replacement != "▁" || !always || s.Split != nil && !*s.Split {
		return refuseStep(words.Msg("reader_metaspace", "Name", shown(s.Replacement), "Type", shown(s.Scheme)))
	}
	return nil
}

// readAdded reads the added tokens, which have to be marks: these stand in no text, even if a text spells them.
func (t *tokenizer) readAdded(r *read) error {
	added := slices.Clone(t.Added)
	slices.SortFunc(added, func(a, b addedToken) int { return cmp.Compare(a.ID, b.ID) })
	for _, a := range added {
		switch {
		case !a.Special:
			return refuseStep(words.Msg("reader_added", "Name", shown(a.Content)))
		case a.ID == len(r.pieces):
			r.pieces = append(r.pieces, a.Content)
			if r.scores != nil {
				r.scores = append(r.scores, 0)
			}
		case a.ID < 0 || a.ID > len(r.pieces) || r.pieces[a.ID] != a.Content:
			return refuse(tokenizerFile, mendCopy, words.Msg("reader_added_id", "Name", shown(a.Content), "N", a.ID))
		}
		r.marks = append(r.marks, a.ID)
	}
	return nil
}

// readPair reads how a passage and a claim stand together.
func (t *tokenizer) readPair(r *read) error {
	p := t.PostProcessor
	switch p.kind() {
	case "BertProcessing":
		r.setMarks(p.Begin.id, p.Separator.id, 1)
		r.segments = true
		return nil
	case "RobertaProcessing":
		r.setMarks(p.Begin.id, p.Separator.id, 2)
		return nil
	case "TemplateProcessing":
		return r.setTemplate(p)
	}
	return refuseStep(words.Msg("reader_processor", "Name", p.kind()))
}

func (r *read) setMarks(begin, separator, separators int) {
	r.form.Begin, r.form.Separator, r.form.Separators = begin, separator, separators
	r.marks = append(r.marks, begin, separator)
}

// setTemplate reads a template: a mark, the passage, one mark or two, the claim and the same mark. BERT gives the claim
// and the mark after it a segment of their own.
func (r *read) setTemplate(p *step) error {
	separators := len(p.Pair) - 4
	if separators != 1 && separators != 2 {
		return refuseStep(words.Msg("reader_template_parts", "N", len(p.Pair)))
	}
	claim := len(p.Pair) - 2
	texts := map[int]string{1: "A", claim: "B"}
	separator := ""
	for i, part := range p.Pair {
		at, text := part.Mark, texts[i]
		if text != "" {
			at = part.Text
		}
		if at == nil || (part.Mark != nil) == (part.Text != nil) || text != "" && at.ID != text {
			return refuseStep(words.Msg("reader_template"))
		}
		if i == 2 {
			separator = at.ID
		}
		if text == "" && i > 2 && at.ID != separator {
			return refuseStep(words.Msg("reader_template_marks", "Name", shown(separator), "Type", shown(at.ID)))
		}
		if i == claim {
			r.segments = at.Segment == 1
		}
		if i < claim && at.Segment != 0 || i >= claim && at.Segment != p.Pair[claim].Text.Segment || at.Segment > 1 {
			return refuseStep(words.Msg("reader_template_segments"))
		}
	}
	begin, end := p.Marks[p.Pair[0].Mark.ID].IDs, p.Marks[separator].IDs
	if len(begin) != 1 || len(end) != 1 {
		return refuse(tokenizerFile, mendCopy, words.Msg("reader_template_ids"))
	}
	r.setMarks(begin[0], end[0], separators)
	return nil
}

// kind names a step.
func (s *step) kind() string {
	if s == nil {
		return "none"
	}
	return shown(s.Type)
}

func isTrue(v *bool) bool { return v != nil && *v }

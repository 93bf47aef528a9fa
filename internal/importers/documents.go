package importers

import (
	"slices"

	"sanad/internal/documents/webpage"
	"sanad/internal/domain"
	"sanad/internal/domain/evidence"
	"sanad/internal/domain/filetype"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/words"
)

// documents builds the session's documents and the index that resolves matches. What the list holds of a document is
// let go with it, since the texts of all may be most of a large file.
func (b *builder) documents(list []documentWire) error {
	if len(list) == 0 {
		b.warn("documents", words.Msg("warning_documents"))
	}
	keys, err := uniqueKeys(len(list), documentKeysOf, func(i int) string { return list[i].ID })
	if err != nil {
		return err
	}
	b.s.Documents = slices.Grow(b.s.Documents, len(list))
	for i := range list {
		if err := b.addDocument(&list[i], keys[i]); err != nil {
			return err
		}
		list[i].Text, list[i].Pages, list[i].Chunks, list[i].blocks, list[i].cut = nil, nil, nil, nil, nil
	}
	return b.supersessions()
}

var documentKeysOf = keysOf{list: "documents", field: "id", noun: "noun_document", format: "doc_%03d"}

// addDocument builds the next document.
func (b *builder) addDocument(w *documentWire, key string) error {
	d, err := b.document(len(b.s.Documents), w, key)
	if err != nil {
		return err
	}
	if b.texts != nil {
		err = b.texts.take(d)
	}
	b.s.Documents = append(b.s.Documents, *d)
	return err
}

// document builds one document with its chunks.
func (b *builder) document(i int, w *documentWire, key string) (*ledger.Document, error) {
	d := &ledger.Document{
		Key: key, Position: i, URI: w.URI, Supersedes: w.Supersedes, Status: ledger.Ready,
		PublishedAt: w.PublishedAt, ValidUntil: w.ValidUntil, SourceQuality: w.SourceQuality,
		Title:    b.clean(at("documents", i, "title"), w.Title),
		Filename: b.clean(at("documents", i, "filename"), w.Filename), Library: w.taken.Ref(),
		Origin: w.taken,
	}
	for _, name := range []string{d.Title, d.Key} { // every document needs a title in lists
		if d.Filename == "" {
			d.Filename = text.CleanName(name)
		}
	}
	if err := b.facts(i, w, d); err != nil {
		return nil, err
	}
	if err := b.content(i, w, d); err != nil {
		return nil, err
	}
	if err := b.leftOut(i, w, d); err != nil {
		return nil, err
	}
	if len(d.Chunks) == 0 {
		b.warn(at("documents", i, ""), words.Msg("warning_no_text"))
	}
	if b.chunks += len(d.Chunks); b.chunks > b.opt.Chunks {
		return nil, domain.Refuse(domain.TooLarge, at("documents", i, ""), "refused_in_chunks", "N", b.opt.Chunks)
	}
	d.Chunks = slices.Clone(d.Chunks) // without the room that a growing list has for more
	roots := make([]string, len(d.Chunks))
	for j := range d.Chunks {
		roots[j] = d.Chunks[j].Root
	}
	var err error
	d.Root, err = evidence.DocumentRoot(roots)
	return d, err
}

// facts checks a document's metadata.
func (b *builder) facts(i int, w *documentWire, d *ledger.Document) (err error) {
	if d.Lang, err = language(at("documents", i, "lang"), w.Lang); err != nil {
		return err
	}
	for _, date := range [][2]string{{"published_at", w.PublishedAt}, {"valid_until", w.ValidUntil}} {
		if _, ok := ledger.ParseDate(date[1]); !ok && date[1] != "" {
			return domain.Refuse(domain.Invalid, at("documents", i, date[0]), "refused_in_date",
				"Name", words.Quoted(date[1]))
		}
	}
	if q := w.SourceQuality; q != nil && (*q < 0 || *q > 1) {
		return domain.Refuse(domain.Invalid, at("documents", i, "source_quality"), "refused_in_quality", "N", *q)
	}
	return nil
}

// supersessions checks that a replaced document is in the session.
func (b *builder) supersessions() error {
	known := map[string]bool{}
	for i := range b.s.Documents {
		known[b.s.Documents[i].Key] = true
	}
	for i := range b.s.Documents {
		switch d := &b.s.Documents[i]; {
		case d.Supersedes == "":
		case d.Supersedes == d.Key:
			return domain.Refuse(domain.Invalid, at("documents", i, "supersedes"), "refused_in_itself")
		case !known[d.Supersedes]:
			return domain.Refuse(domain.Invalid, at("documents", i, "supersedes"), "refused_in_older",
				"Name", words.Quoted(d.Supersedes))
		}
	}
	return nil
}

// content sets the chunks from text, pages or chunks, whichever is given.
func (b *builder) content(i int, w *documentWire, d *ledger.Document) error {
	var given []string
	for _, x := range []struct {
		name string
		ok   bool
	}{{"text", w.Text != nil}, {"pages", w.Pages != nil}, {"chunks", w.Chunks != nil}} {
		if x.ok {
			given = append(given, x.name)
		}
	}
	switch from := w.kept(); {
	case w.LibraryVersion != 0 && w.Library == "":
		return domain.Refuse(domain.Invalid, at("documents", i, "library_version"), "refused_in_version_alone")
	case w.LakeSHA256 != "" && from == "":
		return domain.Refuse(domain.Invalid, at("documents", i, "lake_sha256"), "refused_in_sha_alone")
	case from != "" && len(given) == 0:
		return domain.Refuse(domain.Invalid, at("documents", i, w.keptIn()), "refused_in_"+w.keptIn())
	case from != "" && w.cut == nil, w.Lake != "" && w.Library != "":
		return domain.Refuse(domain.Invalid, at("documents", i, w.keptIn()), "refused_in_one_two")
	}
	switch len(given) {
	case 0:
		return domain.Refuse(domain.Invalid, at("documents", i, ""), "refused_in_one_none")
	case 2:
		return domain.Refuse(domain.Invalid, at("documents", i, ""), "refused_in_one",
			"Listed", words.Msg("list_and", "List", given[0], "Last", given[1]))
	case 3:
		return domain.Refuse(domain.Invalid, at("documents", i, ""), "refused_in_one_three")
	}
	if err := b.size(i, w); err != nil {
		return err
	}
	switch given[0] {
	case "text":
		if w.cut != nil {
			d.Chunks = w.cut
			return nil
		}
		if w.blocks != nil {
			d.Chunks = ledger.ChunkBlocks(w.blocks, ledger.MaxChunk)
			return nil
		}
		s := *w.Text
		if filetype.IsMarkdown("", w.Filename) {
			s, d.LeftOut = webpage.Markdown(s)
		}
		d.Chunks = ledger.ChunkBlocks(ledger.ParseBlocks(s, 0, 0), ledger.MaxChunk)
	case "pages":
		return b.pages(i, w.Pages, d)
	default:
		return b.given(i, w.Chunks, d)
	}
	return nil
}

// size checks the document's text against the limit.
func (b *builder) size(i int, w *documentWire) error {
	n := w.Size()
	if n > b.opt.DocumentBytes {
		return domain.Refuse(domain.TooLarge, at("documents", i, ""), "refused_in_bytes", "N", n,
			"Most", b.opt.DocumentBytes)
	}
	return nil
}

// maxPage is the highest allowed page number.
const maxPage = 1_000_000

// pages chunks a document given page by page. Offsets count a form feed between pages.
func (b *builder) pages(i int, pages []pageWire, d *ledger.Document) error {
	var blocks []ledger.Block
	offset, number := 0, 0
	for j, p := range pages {
		number++ // the next page, unless a number is given
		if p.Number != nil {
			number = *p.Number
		}
		if number < 1 || number > maxPage {
			return domain.Refuse(domain.Invalid, at(at("documents", i, "pages"), j, "number"), "refused_in_page",
				"N", number, "Most", maxPage)
		}
		blocks = append(blocks, ledger.ParseBlocks(p.Text, number, offset)...)
		offset += text.Len(p.Text) + 1
	}
	d.Chunks = ledger.ChunkBlocks(blocks, ledger.MaxChunk)
	return nil
}

// mostMore is how many passages a caller may say that are not listed.
const mostMore = 1_000_000

// leftOut sets what is left out of a document's text: as its file was read, or as the caller says.
func (b *builder) leftOut(i int, w *documentWire, d *ledger.Document) error {
	d.LeftOut = append(d.LeftOut, w.left...)
	field, size := at("documents", i, "left_out"), 0
	for j := range w.LeftOut {
		x, path := &w.LeftOut[j], at(field, j, "")
		kind, err := one(path+".kind", x.Kind, ledger.LeftOutKinds)
		if err != nil {
			return err
		}
		how, err := one(path+".how", x.How, ledger.LeftOutHows)
		if err != nil {
			return err
		}
		out := ledger.LeftOut{Kind: kind, How: how, Text: x.Text, At: x.At, More: x.More}
		if x.Page != nil {
			out.Page = *x.Page
		}
		if out.Page < 0 || out.Page > maxPage {
			return domain.Refuse(domain.Invalid, path+".page_number", "refused_in_page_or", "N", out.Page, "Most", maxPage)
		}
		if size += text.Len(out.Text); size > ledger.MaxLeftOutText || out.More > mostMore {
			return domain.Refuse(domain.TooLarge, path, "json_long", "N", ledger.MaxLeftOutText)
		}
		if out.At < 0 || out.More < 0 {
			return domain.Refuse(domain.Invalid, path, "refused_in_below", "N", min(out.At, out.More))
		}
		d.LeftOut = append(d.LeftOut, out)
	}
	return nil
}

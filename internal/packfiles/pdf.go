package packfiles

import (
	"bytes"
	"compress/zlib"
	"encoding/json"
	"errors"
	"regexp"
	"strconv"

	"sanad/internal/domain"
	"sanad/internal/domain/pack"
	"sanad/internal/words"
)

const (
	maxAttachments = 16
	maxStreamDict  = 4096 // bytes before the word stream
	maxAttached    = 16 << 20
)

var (
	embeddedFile = regexp.MustCompile(`/EmbeddedFile[^A-Za-z0-9]`)
	streamStart  = regexp.MustCompile(`>>\s*stream\r?\n`)
	streamLength = regexp.MustCompile(`/Length\s+(\d{1,9})(\s+\d+\s+R)?`)
)

// attachedPack returns the pack.json attached to a PDF. It reads only the streams marked as embedded files; the PDF's
// digest, not its content, proves that the PDF is the signed one.
func attachedPack(data []byte) ([]byte, error) {
	var found []byte
	for n, at := range embeddedFile.FindAllIndex(data, maxAttachments+1) {
		if n == maxAttachments {
			return nil, domain.Refuse(domain.TooLarge, "", "refused_pdf_attachments", "N", maxAttachments)
		}
		content, err := embeddedAt(data, at[0])
		if err != nil {
			return nil, err
		}
		if !isPack(content) {
			continue
		}
		if found != nil {
			return nil, domain.Refuse(domain.Invalid, "", "refused_pdf_two_packs")
		}
		found = content
	}
	if found == nil {
		return nil, domain.Refuse(domain.Invalid, "", "refused_pdf_no_pack")
	}
	return found, nil
}

// embeddedAt returns the stream whose dictionary has the name at position at; nil if none it can read.
func embeddedAt(data []byte, at int) ([]byte, error) {
	near := data[at:min(at+maxStreamDict, len(data))]
	start := streamStart.FindIndex(near)
	if start == nil {
		return nil, nil
	}
	head := data[max(0, at-maxStreamDict) : at+start[0]]
	if i := bytes.LastIndex(head, []byte(" obj")); i >= 0 {
		head = head[i:]
	}
	body := data[at+start[1]:]
	if m := streamLength.FindSubmatch(head); m != nil && len(m[2]) == 0 {
		n, err := strconv.Atoi(string(m[1]))
		if err != nil || n > len(body) {
			return nil, domain.Refuse(domain.Invalid, "", "refused_pdf_attachment_cut")
		}
		body = body[:n]
	}
	if !bytes.Contains(head, []byte("/Filter")) {
		return body, nil
	}
	return inflate(body)
}

func inflate(packed []byte) ([]byte, error) {
	z, err := zlib.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, nil //nolint:nilerr // compressed by another method, so not ours
	}
	content, err := counted(z, maxAttached)
	if errors.Is(err, errMany) {
		return nil, domain.Refuse(domain.TooLarge, "", "refused_pdf_attachment_unpacks", "N", maxAttached)
	}
	if err != nil {
		return nil, &domain.Error{Kind: domain.Invalid, Message: words.Msg("refused_pdf_attachment_damaged"), Err: err}
	}
	return content, nil
}

func isPack(content []byte) bool {
	var says struct{ Format string }
	return json.Unmarshal(content, &says) == nil && pack.SameFormat(says.Format, pack.Format)
}

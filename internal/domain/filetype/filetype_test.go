package filetype_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/filetype"
)

// Media types are stored and signed, so each one is pinned here.
func TestFileTypes(t *testing.T) {
	all := append(append([]filetype.Type{}, filetype.Documents...), filetype.Interchange...)
	all = append(all, filetype.Zip, filetype.PEM)
	for name, want := range map[string]string{
		"a.pdf": "application/pdf", "A.PDF": "application/pdf",
		"a.docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
		"a.txt":  "text/plain; charset=utf-8", "a.text": "text/plain; charset=utf-8",
		"a.md": "text/markdown; charset=utf-8", "a.markdown": "text/markdown; charset=utf-8",
		"a.html": "text/html; charset=utf-8", "a.htm": "text/html; charset=utf-8",
		"a.json": "application/json", "a.jsonl": "application/x-ndjson", "a.ndjson": "application/x-ndjson",
		"a.eml": "message/rfc822", "a.mht": "multipart/related", "a.mhtml": "multipart/related",
		"a.msg":  "application/vnd.ms-outlook",
		"a.xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
		"a.csv":  "text/csv; charset=utf-8", "a.tsv": "text/tab-separated-values; charset=utf-8", "a.sse": "text/event-stream; charset=utf-8",
		"a.zip": "application/zip", "tenant.pub": "application/x-pem-file",
		"a.exe": "", "pdf": "", "": "",
	} {
		found, ok := filetype.Of(name, all)
		require.Equal(t, want != "", ok, name)
		if ok {
			require.Equal(t, want, found.ContentType(), name)
		}
	}
	seen := map[string]string{}
	for _, x := range all {
		for _, e := range x.Extensions {
			require.Contains(t, []string{"", x.MediaType}, seen[e], "%s means two types", e)
			seen[e] = x.MediaType
		}
	}
}

func TestFileTypesInWords(t *testing.T) {
	require.Equal(t, ".pdf,.docx,.docm,.dotx,.dotm,.pptx,.pptm,.ppsx,.ppsm,.potx,.potm,.xlsx,.xlsm,.xltx,.xltm,.odt,.ott,.fodt,.rtf,"+
		".txt,.text,.md,.markdown,.html,.htm,.xhtml,.csv,.tsv,.eml,.mht,.mhtml,.msg,.png,.jpg,.jpeg,.tif,.tiff",
		filetype.Accept(filetype.Documents))
	require.Equal(t, ".json,.jsonl,.ndjson,.csv,.sse", filetype.Accept(filetype.Interchange))
	require.Equal(t, ".pdf, .docx, .pptx, .xlsx, .odt, .rtf, .txt, .md, .html, .csv, .tsv, .eml, .mht, .msg, .png, .jpg and .tif",
		filetype.ListExtensions(filetype.Documents).String())
}

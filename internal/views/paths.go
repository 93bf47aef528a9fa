package views

import "strconv"

// ChunkPath is the address of one passage in the document viewer.
func ChunkPath(document string, position int) string { return chunkPathFrom(document, position, 0) }

// chunkPathFrom is ChunkPath for a reader who comes from a claim, so that the viewer can lead back; 0 for none.
func chunkPathFrom(document string, position, claim int) string {
	n, from := strconv.Itoa(position+1), ""
	if claim > 0 {
		from = "&claim=" + strconv.Itoa(claim)
	}
	return "/documents/" + document + "?chunk=" + n + from + "#c-" + n
}

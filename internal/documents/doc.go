// Package documents reads files as their readers see them: PDF, Word, PowerPoint, OpenDocument, RTF, HTML, Markdown and
// plain text. A file becomes blocks with headings and pages; what nobody sees, or sees struck out, is listed apart (rule L-38). Nothing is stored or fetched.
// Files with a structure are parsed in a process of their own, if the options say so (rule SEC-9).
package documents

namespace ringwall::verify {
int nothing;
}

// How a grid of any size shares the work of a tiled matrix product.
#pragma once

/// A run of slices of one tile, [first, last).
struct TileRun {
  unsigned tile;
  int first;
  int last;
};

/// What a block works on: [first, end) of the slices of all tiles, which are one long row.
struct SliceRange {
  unsigned first;
  unsigned end;
};

/// The slices of all tiles are one long row, of which each block takes an equal run. With a block
/// per tile that is the plain product; with a multiple of it, split-K; with any other number,
/// stream-K (Osama et al., PPoPP 2023): no wave of blocks is left partly idle. In 32 bits, which
/// ptxas keeps in uniform registers.
struct TileSchedule {
  unsigned slices;  // of a tile
  unsigned each;    // a block's run; the first `longer` blocks have one more
  unsigned longer;

  __device__ TileSchedule(unsigned tiles, unsigned slices_of_a_tile)
      : slices(slices_of_a_tile),
        each(tiles * slices_of_a_tile / gridDim.x),
        longer(tiles * slices_of_a_tile % gridDim.x) {}

  /// A block per tile.
  __device__ explicit TileSchedule(unsigned slices_of_a_tile)
      : slices(slices_of_a_tile), each(slices_of_a_tile), longer(0) {}

  __device__ unsigned begin(unsigned block) const { return block * each + min(block, longer); }
  /// The block that has a slice.
  __device__ unsigned owner(unsigned slice) const {
    const unsigned in_longer = longer * (each + 1);
    return slice < in_longer ? slice / (each + 1) : longer + (slice - in_longer) / each;
  }
  /// How many blocks have slices of a tile.
  __device__ unsigned sharers(unsigned tile) const {
    return owner(tile * slices + slices - 1) - owner(tile * slices) + 1;
  }

  /// A block's equal run.
  __device__ SliceRange range(unsigned block) const { return {begin(block), begin(block + 1)}; }
  /// A block's part of a tile where `sharers` blocks share each: none has parts of two tiles.
  __device__ SliceRange range(unsigned block, unsigned sharers) const {
    const unsigned tile = block / sharers;
    const unsigned part = block - tile * sharers;
    const unsigned part_slices = slices / sharers;
    const unsigned parts_with_more = slices % sharers;
    const unsigned first = tile * slices + part * part_slices + min(part, parts_with_more);
    return {first, first + part_slices + (part < parts_with_more ? 1 : 0)};
  }

  /// Calls `work` with each run of those slices that are of one tile.
  template <typename Work>
  __device__ void for_each_run(const SliceRange& range, Work work) const {
    const unsigned end = range.end;
#pragma unroll 1
    for (unsigned next = range.first; next < end;) {
      const unsigned tile = next / slices;
      const unsigned first = next - tile * slices;
      const unsigned last = min(slices, first + (end - next));
      next += last - first;
      work(TileRun{tile, static_cast<int>(first), static_cast<int>(last)});
    }
  }
};

/// Which tile a number stands for: GROUP rows of tiles are walked column by column, so that
/// blocks that run at the same time share what they read in L2.
template <unsigned GROUP>
struct TileOrder {
  unsigned rows;
  unsigned columns;

  __device__ unsigned group_row(unsigned tile) const { return tile / (GROUP * columns) * GROUP; }
  __device__ unsigned row(unsigned tile) const {
    const unsigned first = group_row(tile);
    return first + tile % (GROUP * columns) % min(GROUP, rows - first);
  }
  __device__ unsigned column(unsigned tile) const {
    return tile % (GROUP * columns) / min(GROUP, rows - group_row(tile));
  }
};

// Runs a launch that a file describes, writes what it leaves in memory, and how often each instruction was executed.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>
#include "machine.hh"
using namespace std;

Machine machine;

void fail(const char *message) {
    fprintf(stderr, "%s\n", message);
    ::exit(2);
}

struct Buffer {
    uint64_t address;
    vector<char> bytes;
    string result;
};
struct Texture {
    uint32_t width, height;
    vector<unsigned char> bytes;
    string result;
};
static vector<Buffer> buffers;
static vector<Texture> textures;
static vector<char> shared;
static vector<vector<char>> local;
static vector<char> constants[8];

[[noreturn]] static void fail_at(const char *what, uint64_t address, int size, const Warp &w, int lane) {
    fprintf(stderr, "%s: %d bytes at %#llx, by lane %d of warp %d of group %u, %u, %u\n", what, size,
            (unsigned long long)address, lane, w.number, machine.group[0], machine.group[1], machine.group[2]);
    ::exit(2);
}

char *Machine::global_memory(uint64_t address, int size, const Warp &w, int lane) {
    if (address % size) fail_at("not aligned in global memory", address, size, w, lane);
    for (auto &buffer : buffers)
        if (address >= buffer.address && address + size <= buffer.address + buffer.bytes.size())
            return buffer.bytes.data() + (address - buffer.address);
    fail_at("out of bounds of global memory", address, size, w, lane);
}
char *Machine::shared_memory(uint64_t address, int size, const Warp &w, int lane) {
    if (address % size || address + size > shared.size()) fail_at("out of bounds of shared memory", address, size, w, lane);
    return shared.data() + address;
}
char *Machine::local_memory(uint64_t address, int size, const Warp &w, int lane) {
    if (address % size || address + size > LOCAL_BYTES) fail_at("out of bounds of local memory", address, size, w, lane);
    auto &bytes = local[w.number * 32 + lane];
    if (bytes.empty()) bytes.resize(LOCAL_BYTES);
    return bytes.data() + address;
}
static bool is_local(uint64_t address) { return address >= LOCAL_WINDOW && address < LOCAL_WINDOW + LOCAL_BYTES; }
static bool is_shared(uint64_t address) { return address >= SHARED_WINDOW && address < SHARED_WINDOW + SHARED_BYTES; }
char *Machine::generic_memory(uint64_t address, int size, const Warp &w, int lane) {
    if (is_shared(address)) return shared_memory(address - SHARED_WINDOW, size, w, lane);
    return is_local(address) ? local_memory(address - LOCAL_WINDOW, size, w, lane) : global_memory(address, size, w, lane);
}

static Texture &texture_of(uint32_t number) {
    if (number == 0 || number > textures.size()) fail("a texture that isn't there");
    return textures[number - 1];
}
uint64_t Machine::texel(uint32_t number, float x, float y, float *channels) {
    Texture &texture = texture_of(number);
    auto inside = [](float at, uint32_t size) { return (uint64_t)fminf(fmaxf(floorf(at), 0), (float)(size - 1)); };
    uint64_t place = 4 * (inside(y, texture.height) * texture.width + inside(x, texture.width));
    for (int i = 0; i < 4; i++) channels[i] = texture.bytes[place + i] / 255.0f;
    return (uint64_t)number << 40 | place;
}
uint64_t Machine::write_texel(uint32_t number, uint32_t byte, uint32_t row, uint32_t value) {
    Texture &texture = texture_of(number);
    if (byte % 4 || byte / 4 >= texture.width || row >= texture.height) fail("out of bounds of a surface");
    uint64_t place = 4 * (uint64_t)row * texture.width + byte;
    memcpy(&texture.bytes[place], &value, 4);
    return (uint64_t)number << 40 | place;
}

uint32_t constant(int bank, uint32_t offset) {
    if (bank >= 8 || (size_t)offset + 4 > constants[bank].size()) return 0;
    uint32_t value;
    memcpy(&value, constants[bank].data() + offset, 4);
    return value;
}

void multiply_16x8x16(uint32_t (*d)[32], uint32_t (*a)[32], uint32_t (*b)[32], uint32_t (*c)[32]) {
    auto half = [](uint32_t (*rows)[32], int row, int lane, int upper) {
        uint16_t bits = rows[row][lane] >> 16 * upper;
        _Float16 value;
        memcpy(&value, &bits, 2);
        return (float)value;
    };
    float left[16][16], right[16][8], sums[4][32];
    for (int lane = 0; lane < 32; lane++)
        for (int row = 0; row < 4; row++)
            for (int upper = 0; upper < 2; upper++) {
                int k = lane % 4 * 2 + upper;
                left[lane / 4 + row % 2 * 8][k + row / 2 * 8] = a ? half(a, row, lane, upper) : 0;
                if (row < 2) right[k + row * 8][lane / 4] = b ? half(b, row, lane, upper) : 0;
            }
    for (int lane = 0; lane < 32; lane++)
        for (int row = 0; row < 4; row++) {
            float sum = c ? as_float(c[row][lane]) : 0;
            for (int k = 0; k < 16; k++) sum += left[lane / 4 + row / 2 * 8][k] * right[k][lane % 4 * 2 + row % 2];
            sums[row][lane] = sum;
        }
    for (int row = 0; row < 4; row++)
        for (int lane = 0; lane < 32; lane++) d[row][lane] = as_bits(sums[row][lane]);
}

struct Counts {
    uint64_t executed, lanes, sectors, passes, local;
};
static vector<Counts> counts;

void Warp::count(int pc, uint32_t lanes) {
    counts[pc].executed++;
    counts[pc].lanes += __builtin_popcount(lanes);
}

// Lanes of 8 bytes go in two halves, those of 16 in four quarters. A pass has one word of each of the 32 banks; lanes that
// load the same word share it, and atomic operations on it take turns.
void Warp::count_shared(int pc, uint32_t lanes, const uint64_t *addresses, int size) {
    bool is_atomic = SIZES[pc] < 0;
    int parts = size == 16 ? 4 : size == 8 ? 2 : 1, lanes_of_part = 32 / parts;
    for (int part = 0; part < parts; part++) {
        map<uint64_t, int> users;
        for (int lane = part * lanes_of_part; lane < (part + 1) * lanes_of_part; lane++)
            for (int word = 0; word < (size + 3) / 4; word++)
                if (lanes >> lane & 1) users[addresses[lane] / 4 + word]++;
        int words[32] = {}, most = 0;
        for (auto &[word, users_of_word] : users) {
            words[word % 32] += is_atomic ? users_of_word : 1;
            most = max(most, words[word % 32]);
        }
        counts[pc].passes += most;
    }
}

void Warp::count_access(int pc, uint32_t lanes, const uint64_t *addresses) {
    count(pc, lanes);
    int size = abs(SIZES[pc]);
    if (SPACES[pc] == Space::shared_) return count_shared(pc, lanes, addresses, size);
    bool touches_local = SPACES[pc] == Space::local_;
    set<uint64_t> sectors;
    uint32_t of_shared = 0;
    for (int lane = 0; lane < 32; lane++) {
        if (!(lanes >> lane & 1)) continue;
        if (SPACES[pc] == Space::generic_ && is_shared(addresses[lane])) of_shared |= 1u << lane;
        else if (SPACES[pc] == Space::generic_ && is_local(addresses[lane])) touches_local = true;
        else if (SPACES[pc] != Space::local_)
            for (uint64_t at : {addresses[lane], addresses[lane] + size - 1}) sectors.insert(at / 32);
    }
    counts[pc].sectors += sectors.size();
    counts[pc].local += touches_local;
    if (of_shared) count_shared(pc, of_shared, addresses, size);
}

static vector<char> read(const string &path) {
    ifstream file(path, ios::binary);
    if (!file) fail(("can't read " + path).c_str());
    return vector<char>(istreambuf_iterator<char>(file), {});
}
static void write(const string &path, const void *bytes, size_t size) {
    if (path != "-" && !ofstream(path, ios::binary).write((const char *)bytes, size)) fail(("can't write " + path).c_str());
}

static size_t read_launch(const string &path) {
    ifstream file(path);
    string line;
    size_t shared_bytes = 0;
    while (getline(file, line)) {
        stringstream words(line);
        string what, bytes;
        words >> what;
        if (what == "grid") words >> machine.grid[0] >> machine.grid[1] >> machine.grid[2];
        else if (what == "block") words >> machine.block[0] >> machine.block[1] >> machine.block[2];
        else if (what == "shared") words >> shared_bytes;
        else if (what == "constant") {
            int bank;
            words >> bank >> bytes;
            constants[bank] = read(bytes);
        } else if (what == "buffer") {
            Buffer buffer;
            words >> buffer.address >> bytes >> buffer.result;
            buffer.bytes = read(bytes);
            buffers.push_back(move(buffer));
        } else if (what == "texture") {
            Texture texture;
            words >> texture.width >> texture.height >> bytes >> texture.result;
            vector<char> texels = read(bytes);
            texture.bytes.assign(texels.begin(), texels.end());
            textures.push_back(move(texture));
        }
        if (!words) fail(("what is " + line).c_str());
    }
    return shared_bytes;
}

static void start(Warp &w, int number, unsigned threads) {
    memset(&w, 0, sizeof w);
    for (auto &row : w.r)
        for (auto &value : row) value = UNDEFINED;
    w.number = number;
    w.exited = number * 32u + 32 <= threads ? 0 : ~0u << threads % 32;
}

static void run_group(vector<Warp> &warps) {
    for (;;) {
        bool is_done = true, is_waiting = true;
        for (auto &w : warps) {
            run(w);
            is_done &= w.exited == ~0u;
            is_waiting &= (~w.exited & ~w.at_group_barrier) == 0;
        }
        if (is_done) return;
        if (!is_waiting) fail("threads wait for each other");
        machine.end_vote();
        for (auto &w : warps) w.blocked &= ~w.at_group_barrier, w.at_group_barrier = 0;
    }
}

int main(int, char **arguments) {
    size_t shared_bytes = read_launch(arguments[1]);
    counts.resize(INSTRUCTIONS);
    unsigned threads = machine.block[0] * machine.block[1] * machine.block[2];
    vector<Warp> warps((threads + 31) / 32);
    auto &[x, y, z] = machine.group;
    for (z = 0; z < machine.grid[2]; z++)
        for (y = 0; y < machine.grid[1]; y++)
            for (x = 0; x < machine.grid[0]; x++) {
                shared.assign(shared_bytes, (char)UNDEFINED);
                local.assign(warps.size() * 32, {});
                for (size_t i = 0; i < warps.size(); i++) start(warps[i], i, threads);
                run_group(warps);
            }
    for (auto &buffer : buffers) write(buffer.result, buffer.bytes.data(), buffer.bytes.size());
    for (auto &texture : textures) write(texture.result, texture.bytes.data(), texture.bytes.size());
    ofstream file(arguments[2]);
    for (auto &[executed, lanes, sectors, passes, local] : counts)
        file << executed << ' ' << lanes << ' ' << sectors << ' ' << passes << ' ' << local << '\n';
}

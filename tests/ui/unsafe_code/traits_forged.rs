struct Mine;

impl gridwright::views::View for Mine {}
impl gridwright::views::Items for Mine {}
impl gridwright::views::Whole for Mine {}
impl gridwright::group::Slots for Mine {}
impl gridwright::group::FixedSlots for Mine {}
impl<S: ?Sized + gridwright::group::Slots> gridwright::ownership::SlotMap<S> for Mine {}
impl<S: ?Sized + gridwright::ownership::OwnShape> gridwright::ownership::OwnMap<S> for Mine {}
impl gridwright::ownership::OwnShape for Mine {}
impl gridwright::ownership::GroupOwned for Mine {}
impl gridwright::GroupShape for Mine {}
impl gridwright::group::GroupMemory for Mine {}
impl gridwright::group::ArrayElement for Mine {}
impl gridwright::atomic::AtomicValue for Mine {}
impl gridwright::atomic::AtomicInteger for Mine {}
impl gridwright::KernelArg for Mine {}
impl gridwright::launch::Sets<()> for Mine {}
impl gridwright::launch::Arguments<()> for Mine {}

fn main() {}
